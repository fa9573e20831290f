package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The outcome of a delete request.
package enum DeleteOutcome: Sendable, Hashable {
    /// The records were deleted, together with those that the delete cascaded to, in this commit.
    case deleted(ids: [UUID], message: String, commit: Int64)
    /// The delete cascades to other records, so the user has to confirm it.
    case question(DeleteQuestion)
    /// The delete was refused, for a reason in words with links to the records that it names. Nothing was deleted.
    case refused(reason: String, isTemporary: Bool, links: [LinkedText.Link] = [])
    /// The store did not answer. It may have deleted the records, or do so later.
    case unconfirmed(reason: String)
    /// A person stopped the delete before its commit. Nothing was deleted.
    case stopped
}

/// The question before a delete that cascades to other records.
package struct DeleteQuestion: Sendable, Hashable, Codable {
    package let title: String
    package let lines: [String]
    /// The names in the lines that link to records.
    package let links: [LinkedText.Link]
    /// The label of the button; nil if the delete is blocked and there is nothing to confirm.
    package let confirm: String?
    /// The number of other records that the confirmed delete may cascade to.
    package let allow: Int
}

extension DeleteQuestion {
    /// Creates the question for a plan.
    ///
    /// - Parameters:
    ///   - title: The record's name if there is only one.
    ///   - titles: Some of the records that block the delete.
    ///   - principal: The user. Records that the user is not allowed to see are counted without a name, and the
    ///     delete does not cascade to records that the user is not allowed to delete.
    package init(
        plan: DeletePlan, title: String?, titles: [DeleteObstacle: [RecordChoice]] = [:], model: ModelSchema,
        schema: Schema, principal: Principal
    ) {
        let names = RelatedNames(schema: schema, principal: principal, titles: titles)
        let what = model.counted(plan.requested)
        let subject =
            title.map { TextFormatter.quoted($0) }
            ?? (plan.requested == 1 ? localized("this \(model.singularName)") : localized("these \(model.pluralName)"))
        guard plan.obstacles.isEmpty else {
            self.init(
                title: localized("\(TextFormatter.capitalized(subject)) can’t be deleted yet"),
                lines: plan.obstacles.map { $0.sentence(subject, names) },
                links: names.links, confirm: nil, allow: 0
            )
            return
        }
        let forbidden = plan.cascades.filter { !principal.may(.delete, $0.key) }
        guard forbidden.isEmpty else {
            let counts = names.list(forbidden)
            self.init(
                title: localized("\(TextFormatter.capitalized(subject)) can’t be deleted with your role"),
                lines: [
                    localized(
                        "\(TextFormatter.capitalized(counts)) would be deleted too, but your role doesn’t allow this.")
                ],
                links: [], confirm: nil, allow: 0
            )
            return
        }
        let them = plan.requested == 1 ? subject : localized("them")
        var lines: [String] = []
        if plan.cascades.isEmpty {
            lines.append(
                plan.requested == 1
                    ? localized("\(TextFormatter.capitalized(subject)) will be deleted.")
                    : localized("They will be deleted."))
        } else {
            let along = names.list(plan.cascades)
            lines.append(
                localized(
                    plan.cascadeCount, one: "\(along) that belongs to \(them) will be deleted too.",
                    other: "\(along) that belong to \(them) will be deleted too."))
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
                ? localized("Delete")
                : localized("Delete all \(TextFormatter.grouped(plan.requested + plan.cascadeCount))"),
            allow: plan.cascadeCount
        )
    }
}

extension DeleteObstacle {
    /// Returns a sentence with the obstacle and the advice to remove it.
    ///
    /// - Parameter subject: The records to be deleted, in words.
    func sentence(_ subject: String, _ names: RelatedNames) -> String {
        switch self {
        case .referrers(_, let count, _):
            let others = names.named(self)
            return localized(
                count, one: "\(others) still refers to \(subject). Delete or change it first.",
                other: "\(others) still refer to \(subject). Delete or change them first."
            )
        case .relatedCount(let model, let property, let count, let allowed, _):
            let label =
                names.model(model)?.property(property).map { TextFormatter.small($0.label) } ?? localized("records")
            let others = names.named(self)
            return localized(
                count,
                one: "\(others) would not have the required \(label) (\(allowed.description)). Change it first.",
                other:
                    "\(others) would not have the required \(label) (\(allowed.description)). Change them first."
            )
        }
    }

    /// The model and number of the records that block the delete.
    var others: (model: String, count: Int) {
        switch self {
        case .referrers(let model, let count, _), .relatedCount(let model, _, let count, _, _): (model, count)
        }
    }
}

/// The names of related records for one user. Records that the user is not allowed to see have no name.
struct RelatedNames {
    let schema: Schema
    let principal: Principal
    /// The titles of some of the records that block a delete.
    var titles: [DeleteObstacle: [RecordChoice]] = [:]

    func model(_ name: String) -> ModelSchema? {
        principal.may(.view, name) ? schema.model(name) : nil
    }

    func counted(_ name: String, _ count: Int) -> String {
        model(name)?.counted(count) ?? TextFormatter.otherRecords(count)
    }

    /// Returns the records of an obstacle in words, for example `3 animals (“Rex”, “Kea” and 1 more)`.
    func named(_ obstacle: DeleteObstacle) -> String {
        let (name, count) = obstacle.others
        let known = model(name) == nil ? [] : (titles[obstacle] ?? []).map(\.title)
        guard !known.isEmpty else { return counted(name, count) }
        let rest = count - known.count
        let list = TextFormatter.list(
            known.map { TextFormatter.quoted($0) }
                + (rest > 0 ? [localized("\(TextFormatter.grouped(rest)) more")] : []))
        return localized("\(counted(name, count)) (\(list))")
    }

    /// The links from the names to the records.
    var links: [LinkedText.Link] {
        titles.flatMap { obstacle, records in
            let paths = model(obstacle.others.model).map { ModelPaths($0) }
            return records.compactMap { record in
                paths.map { LinkedText.Link(TextFormatter.quoted(record.title), href: $0.record(record.id)) }
            }
        }
    }

    /// Returns the counts as a list, for example `3 animals and 2 other records`.
    func list(_ counts: [String: Int]) -> String {
        let named = counts.filter { model($0.key) != nil }.sorted { $0.key < $1.key }.map { counted($0.key, $0.value) }
        let others = counts.filter { model($0.key) == nil }.values.reduce(0, +)
        return TextFormatter.list(named + (others > 0 ? [TextFormatter.otherRecords(others)] : []))
    }
}

/// The name of a record in a sentence: its title, or the first of its values that the user is allowed to see.
struct RecordName {
    let principal: Principal

    /// The largest number of values in a name. They are enough to distinguish records.
    private static let mostValues = 3

    /// Returns the name of the record, or nil if it has only an identifier, which users do not recognize.
    func name(of record: Record, in schema: ModelSchema) -> String? {
        let title = record.title(in: schema)
        guard title == record.id.canonicalText else { return title }
        let values = schema.storedProperties.enumerated().compactMap { words(for: $1, at: $0, of: record, in: schema) }
        return values.isEmpty ? nil : values.prefix(Self.mostValues).joined(separator: ", ")
    }

    private func words(for property: PropertySchema, at index: Int, of record: Record, in schema: ModelSchema)
        -> String?
    {
        guard !property.isSecret, property.type != .boolean, principal.maySee(property.name, of: schema) else {
            return nil
        }
        let words: String?
        if let target = property.type.model {
            // The reference title of a record without a title is its identifier, which is skipped.
            words =
                principal.may(.view, target)
                ? record.referenceTitle(at: index).flatMap { UUID(canonicalText: $0) == nil ? $0 : nil } : nil
        } else {
            words = property.words(for: record.value(property.name, in: schema), elements: 1)
        }
        return words.flatMap { $0.isBlank ? nil : $0 }
    }
}
