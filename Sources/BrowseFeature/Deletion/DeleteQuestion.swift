package import AviaryDesign
package import AviaryDomain
package import Foundation

/// What became of a wish to delete.
package enum DeleteOutcome: Sendable, Hashable {
    /// Gone, with what went along, by this commit.
    case deleted(ids: [UUID], message: String, commit: Int64)
    /// Other records would go too: ask first.
    case question(DeleteQuestion)
    /// Refused, and why, in words, with the names in them that lead to records. Nothing was deleted.
    case refused(reason: String, isTemporary: Bool, links: [LinkedText.Link] = [])
}

/// What is asked before a delete takes other records along.
package struct DeleteQuestion: Sendable, Hashable, Codable {
    package let title: String
    package let lines: [String]
    /// Names in the lines that lead to records.
    package let links: [LinkedText.Link]
    /// The words on the button; nil when something stands against the delete, and there is nothing to confirm.
    package let confirm: String?
    /// How many other records the answer allows to go.
    package let allow: Int
}

extension DeleteQuestion {
    /// - Parameters:
    ///   - title: the record's name when it is a single one.
    ///   - titles: some of the records that stand against it.
    ///   - principal: what they may not see is counted without a name, and what they may not delete does not go along.
    package init(
        plan: DeletePlan, title: String?, titles: [DeleteObstacle: [RecordChoice]] = [:], model: ModelSchema,
        schema: Schema, principal: Principal
    ) {
        let names = RelatedNames(schema: schema, principal: principal, titles: titles)
        let what = model.counted(plan.requested)
        let subject =
            title.map { Words.quoted($0) }
            ?? (plan.requested == 1 ? localized("this \(model.singularName)") : localized("these \(model.pluralName)"))
        guard plan.obstacles.isEmpty else {
            self.init(
                title: localized("\(Words.capitalized(subject)) cannot be deleted yet"),
                lines: plan.obstacles.map { $0.sentence(subject, names) },
                links: names.links, confirm: nil, allow: 0
            )
            return
        }
        let forbidden = plan.cascades.filter { !principal.may(.delete, $0.key) }
        guard forbidden.isEmpty else {
            let counts = names.list(forbidden)
            self.init(
                title: localized("\(Words.capitalized(subject)) cannot be deleted by you"),
                lines: [localized("\(Words.capitalized(counts)) would go along, which your role may not delete.")],
                links: [], confirm: nil, allow: 0
            )
            return
        }
        let them = plan.requested == 1 ? subject : localized("them")
        var lines: [String] = []
        if plan.cascades.isEmpty {
            lines.append(
                plan.requested == 1
                    ? localized("\(Words.capitalized(subject)) will be deleted.") : localized("They will be deleted."))
        } else {
            let along = names.list(plan.cascades)
            lines.append(
                localized(plan.cascadeCount, one: "\(along) goes with \(them).", other: "\(along) go with \(them)."))
        }
        for (name, count) in plan.nullifies.sorted(by: { $0.key < $1.key }) {
            lines.append(localized("\(names.counted(name, count)) will no longer refer to \(them)."))
        }
        for (name, count) in plan.unlinks.sorted(by: { $0.key < $1.key }) {
            lines.append(localized("\(names.counted(name, count)) will no longer be linked with \(them)."))
        }
        self.init(
            title: localized("Delete \(what)?"), lines: lines, links: [],
            confirm: plan.cascadeCount == 0
                ? localized("Delete") : localized("Delete all \(Words.grouped(plan.requested + plan.cascadeCount))"),
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
        case .referrers(_, let count, _):
            let others = names.named(self)
            return localized(
                count, one: "\(others) still refers to \(subject). Delete or change it first.",
                other: "\(others) still refer to \(subject). Delete or change them first."
            )
        case .relatedCount(let model, let property, let count, let allowed, _):
            let label = names.model(model)?.property(property).map { Words.small($0.label) } ?? localized("records")
            let others = names.named(self)
            return localized(
                count,
                one: "\(others) would not have the \(label) that it needs: \(allowed.description). Change it first.",
                other:
                    "\(others) would not have the \(label) that they need: \(allowed.description). Change them first."
            )
        }
    }

    /// What the records are that are in the way, and how many.
    var others: (model: String, count: Int) {
        switch self {
        case .referrers(let model, let count, _), .relatedCount(let model, _, let count, _, _): (model, count)
        }
    }
}
