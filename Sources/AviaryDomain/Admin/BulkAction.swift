package import Foundation

/// An action of an application on many records at once.
package struct BulkAction: Sendable {
    /// The name of the action in URLs: `mark-as-fed`.
    package let name: String
    package var title: String { englishTitle.translated }
    private let englishTitle: String
    /// The action on the model's records that the principal's role must allow.
    package let permission: ModelAction
    /// A closure that returns the changes to store.
    private let make: @Sendable ([UUID], any ModelRecords, String) async throws -> ChangeSet

    package init<M: Model>(
        _ title: String, permission: ModelAction,
        _ make: @escaping @Sendable ([M.ID], Repository<M>) async throws -> ChangeSet
    ) {
        englishTitle = title
        self.permission = permission
        name = Self.name(title)
        self.make = { ids, records, author in
            try await make(ids.map { RecordID($0) }, Repository<M>(records, author: author))
        }
    }

    /// Returns the change set of the action for some records.
    ///
    /// - Parameters:
    ///   - ids: The ids of the records.
    ///   - records: The records of the model.
    ///   - changeSet: The id of the change set, which makes a retry idempotent.
    ///   - author: The author of the change set.
    package func changeSet(
        for ids: [UUID], of records: any ModelRecords, as changeSet: UUID, author: String
    ) async throws -> ChangeSet {
        let made = try await make(ids, records, author)
        return ChangeSet(id: changeSet, author: author, changes: made.changes, cascadeLimit: made.cascadeLimit)
    }

    private static func name(_ title: String) -> String {
        title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }
}

/// An error of an application's own action, with a reason to show to the user.
package protocol ActionRefusal: Error {
    var reason: String { get }
}
