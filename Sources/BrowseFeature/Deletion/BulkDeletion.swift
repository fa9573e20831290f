package import AviaryDesign
package import AviaryDomain
package import Foundation

/// A delete of all records that a list finds, or of selected ones, as one change set: all of them or none.
///
/// Its fields are part of the address and of the form, so that a form that is sent again concerns the same change set.
package struct BulkDeletion: Sendable, Hashable {
    /// The largest number of records of one delete.
    package static let mostRecords = 1_000_000
    /// The largest number of records for which the question names the other records that delete rules include. The
    /// question about a larger delete has general words.
    package static let mostPlanned = 20_000

    /// The id of the change set. It is created with the question: records with later ids were created after the user
    /// confirmed, and are kept.
    package let changeSet: UUID
    /// The number of other records that the user has agreed to delete; nil for any number.
    package var allow: Int?
    /// Indicates whether the records were selected. The fields do not name them, so that such a delete cannot be
    /// continued.
    package private(set) var isOfSelection = false

    package init(changeSet: UUID = .version7(), allow: Int? = nil) {
        self.changeSet = changeSet
        self.allow = allow
    }

    /// Creates the delete of selected records that is under way.
    package init(ofSelection changeSet: UUID) {
        self.changeSet = changeSet
        isOfSelection = true
    }

    /// Creates the delete from the fields of an address or form. Returns nil if they do not describe one.
    package init?(_ fields: [FormField]) {
        guard let changeSet = fields.value("changeset").flatMap({ UUID(canonicalText: $0) }) else { return nil }
        self.changeSet = changeSet
        allow = fields.value("allow").flatMap { Int($0) }.map { max(0, $0) }
        isOfSelection = fields.value("selection") == "1"
    }

    package var fields: [FormField] {
        [FormField(name: "changeset", value: changeSet.canonicalText)]
            + (allow.map { [FormField(name: "allow", value: String($0))] } ?? [])
            + (isOfSelection ? [FormField(name: "selection", value: "1")] : [])
    }
}

extension ListViewModel {
    /// The number of ids that are read together.
    private static var idsTogether: Int { 10_000 }

    /// Returns the records that a bulk operation concerns, in the order of their ids.
    ///
    /// - Parameters:
    ///   - last: The largest id. Later ones are of records that were created after the question.
    ///   - limit: The number of records after which the search ends.
    /// - Throws: `ReadError`.
    package func identifiers(until last: UUID, atMost limit: Int) async throws -> [UUID] {
        var found: [UUID] = []
        while found.count < limit {
            let rest = found.last.map { [QueryExpression.ordered(.greater, .id, .constant($0.fieldValue))] } ?? []
            let part = try await repository.identifiers(
                RecordQuery(
                    condition: .all(conditions(until: last) + rest), limit: min(Self.idsTogether, limit - found.count)))
            found += part
            guard part.count == Self.idsTogether else { break }
        }
        return found
    }

    /// Deletes all records that the list finds, as one change set.
    ///
    /// - Parameter isGood: A closure that returns whether the account still has the permissions that it had at the
    ///   start. It is called once the records are found. The error ``StoreError/stopped`` stops the delete.
    package func delete(
        all deletion: BulkDeletion, schema: Schema, isGood: @Sendable () async throws -> Bool
    ) async -> DeleteOutcome {
        do {
            try principal.check(.delete, self.schema)
            let ids = try await identifiers(until: deletion.changeSet, atMost: BulkDeletion.mostRecords + 1)
            guard !ids.isEmpty else {
                return .refused(
                    reason: localized("No \(self.schema.pluralName) match any more. Nothing was deleted."),
                    isTemporary: false)
            }
            guard ids.count <= BulkDeletion.mostRecords else {
                let most = TextFormatter.grouped(BulkDeletion.mostRecords)
                return .refused(
                    reason: localized("More than \(most) records match. Nothing was deleted. Add a filter."),
                    isTemporary: false)
            }
            guard try await isGood() else {
                return .refused(reason: AccountEndedError().description, isTemporary: false)
            }
            return try await delete(
                ids, changeSet: deletion.changeSet, cascadeLimit: deletion.allow ?? .max, schema: schema)
        } catch let error as StoreError where error.code == .stopped {
            return .stopped
        } catch is AccessError {
            return .refused(reason: localized("Your role doesn’t allow this."), isTemporary: false)
        } catch {
            return .refused(
                reason: localized("Couldn’t load the \(self.schema.pluralName). Nothing was deleted."),
                isTemporary: true)
        }
    }

    /// Returns what a delete of all records would do, or nil if there are too many to tell.
    ///
    /// - Throws: `ReadError`; ``AccessError``.
    package func question(before deletion: BulkDeletion, schema: Schema) async throws -> DeleteQuestion? {
        let ids = try await identifiers(until: deletion.changeSet, atMost: BulkDeletion.mostPlanned + 1)
        guard ids.count <= BulkDeletion.mostPlanned else { return nil }
        return try await question(ids, schema: schema)
    }

    /// The conditions of the list, for records with ids up to the last one.
    func conditions(until last: UUID) -> [QueryExpression] {
        query.conditions(for: configuration) + [.ordered(.lessOrEqual, .id, .constant(last.fieldValue))]
    }

    /// Returns the number of records that the list finds.
    ///
    /// - Throws: `ReadError`.
    package func count(until last: UUID, records: any ModelRecords) async throws -> Int {
        try await records.count(RecordQuery(condition: .all(conditions(until: last))))
    }

    /// Returns the address of the page that shows the delete.
    package func address(of deletion: BulkDeletion) -> String {
        paths.batch.withQuery(
            FormEncoding.encode(
                [
                    FormField(name: "do", value: "delete"), FormField(name: "all", value: "1"),
                    FormField(name: "return", value: location),
                ] + deletion.fields))
    }

    /// The fields of a form that concerns the delete.
    func hidden(_ deletion: BulkDeletion) -> [(String, String)] {
        [("do", "delete"), ("all", "1"), ("return", location)] + deletion.fields.map { ($0.name, $0.value) }
    }

    /// Indicates whether the text is the plural name of the model, which the user types to confirm.
    package func isName(_ text: String) -> Bool {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased() == schema.pluralName.lowercased()
    }
}
