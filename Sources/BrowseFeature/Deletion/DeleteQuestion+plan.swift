package import AviaryDomain

extension DeleteQuestion {
    /// - Parameter title: the record's name when it is a single one.
    package init(plan: DeletePlan, title: String?, model: ModelSchema, schema: Schema) {
        let what = model.counted(plan.requested)
        let subject = title.map { "“\($0)”" } ?? (plan.requested == 1 ? "this \(model.singularName)" : "these \(model.pluralName)")
        guard plan.obstacles.isEmpty else {
            self.init(
                title: "\(Words.capitalized(subject)) cannot be deleted yet", lines: plan.obstacles.map { $0.sentence(subject, in: schema) },
                confirm: nil, allow: 0
            )
            return
        }
        var lines: [String] = []
        if plan.cascades.isEmpty {
            lines.append(plan.requested == 1 ? "\(Words.capitalized(subject)) will be deleted." : "They will be deleted.")
        } else {
            let counts = Self.counts(plan.cascades, in: schema)
            let owner = plan.requested == 1 ? subject : "them"
            lines.append("\(Words.list(counts)) \(plan.cascadeCount == 1 ? "goes" : "go") with \(owner).")
        }
        for (name, count) in plan.nullifies.sorted(by: { $0.key < $1.key }) {
            guard let other = schema.model(name) else { continue }
            lines.append("\(other.counted(count)) will no longer refer to \(plan.requested == 1 ? subject : "them").")
        }
        for (name, count) in plan.unlinks.sorted(by: { $0.key < $1.key }) {
            guard let other = schema.model(name) else { continue }
            lines.append("\(other.counted(count)) will no longer be linked with \(plan.requested == 1 ? subject : "them").")
        }
        self.init(
            title: "Delete \(what)?", lines: lines,
            confirm: plan.cascadeCount == 0 ? "Delete" : "Delete all \(Words.grouped(plan.requested + plan.cascadeCount))",
            allow: plan.cascadeCount
        )
    }

    private static func counts(_ counts: [String: Int], in schema: Schema) -> [String] {
        counts.sorted { $0.key < $1.key }.compactMap { name, count in
            schema.model(name)?.counted(count)
        }
    }
}

extension DeleteObstacle {
    /// What stands against it, and what to do.
    ///
    /// - Parameter subject: What is to be deleted.
    func sentence(_ subject: String, in schema: Schema) -> String {
        switch self {
        case .referrers(let model, let count):
            let others = schema.model(model)?.counted(count) ?? "\(Words.grouped(count)) other records"
            return "\(others) still \(count == 1 ? "refers" : "refer") to \(subject). Delete or change \(count == 1 ? "it" : "them") first."
        case .relatedCount(let model, let property, let count, let allowed):
            let other = schema.model(model)
            let label = other?.property(property)?.label.lowercased() ?? property
            return "\(other?.counted(count) ?? "\(Words.grouped(count)) other records") would not have the \(label) that "
                + "\(count == 1 ? "it needs" : "they need"): \(allowed). Change \(count == 1 ? "it" : "them") first."
        }
    }
}
