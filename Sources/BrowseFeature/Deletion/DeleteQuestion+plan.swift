package import AviaryDomain

extension DeleteQuestion {
    /// - Parameters:
    ///   - title: the record's name when it is a single one.
    ///   - principal: what they may not see is counted without a name, and what they may not delete does not go along.
    package init(plan: DeletePlan, title: String?, model: ModelSchema, schema: Schema, principal: Principal) {
        let names = RelatedNames(schema: schema, principal: principal)
        let what = model.counted(plan.requested)
        let subject = title.map { "“\($0)”" } ?? (plan.requested == 1 ? "this \(model.singularName)" : "these \(model.pluralName)")
        guard plan.obstacles.isEmpty else {
            self.init(
                title: "\(Words.capitalized(subject)) cannot be deleted yet", lines: plan.obstacles.map { $0.sentence(subject, names) },
                confirm: nil, allow: 0
            )
            return
        }
        let forbidden = plan.cascades.filter { !principal.may(.delete, $0.key) }
        guard forbidden.isEmpty else {
            let counts = names.list(forbidden)
            self.init(
                title: "\(Words.capitalized(subject)) cannot be deleted by you",
                lines: ["\(Words.capitalized(counts)) would go along, which your role may not delete."], confirm: nil, allow: 0
            )
            return
        }
        var lines: [String] = []
        if plan.cascades.isEmpty {
            lines.append(plan.requested == 1 ? "\(Words.capitalized(subject)) will be deleted." : "They will be deleted.")
        } else {
            let owner = plan.requested == 1 ? subject : "them"
            lines.append("\(names.list(plan.cascades)) \(plan.cascadeCount == 1 ? "goes" : "go") with \(owner).")
        }
        for (name, count) in plan.nullifies.sorted(by: { $0.key < $1.key }) {
            lines.append("\(names.counted(name, count)) will no longer refer to \(plan.requested == 1 ? subject : "them").")
        }
        for (name, count) in plan.unlinks.sorted(by: { $0.key < $1.key }) {
            lines.append("\(names.counted(name, count)) will no longer be linked with \(plan.requested == 1 ? subject : "them").")
        }
        self.init(
            title: "Delete \(what)?", lines: lines,
            confirm: plan.cascadeCount == 0 ? "Delete" : "Delete all \(Words.grouped(plan.requested + plan.cascadeCount))",
            allow: plan.cascadeCount
        )
    }
}

extension DeleteObstacle {
    /// What stands against it, and what to do.
    ///
    /// - Parameter subject: What is to be deleted.
    func sentence(_ subject: String, _ names: RelatedNames) -> String {
        switch self {
        case .referrers(let model, let count):
            return "\(names.counted(model, count)) still \(count == 1 ? "refers" : "refer") to \(subject). Delete or change \(count == 1 ? "it" : "them") first."
        case .relatedCount(let model, let property, let count, let allowed):
            let label = names.model(model)?.property(property)?.label.lowercased() ?? "records"
            return "\(names.counted(model, count)) would not have the \(label) that "
                + "\(count == 1 ? "it needs" : "they need"): \(allowed). Change \(count == 1 ? "it" : "them") first."
        }
    }
}
