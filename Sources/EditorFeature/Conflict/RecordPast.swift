package import AviaryDomain
package import Foundation

/// What others did to a record since an editor opened it.
package struct RecordPast: Sendable, Hashable {
    /// What the properties that were changed held before, by name. Others are as they were.
    package let before: [String: FieldValue]
    /// Who changed it last, and when.
    package let author: String?
    package let time: Date?

    package init(before: [String: FieldValue], author: String?, time: Date?) {
        self.before = before
        self.author = author
        self.time = time
    }
}

extension HistoryRepository {
    /// More changes nobody makes while a sheet is open.
    private static var mostChanges: Int { 200 }

    /// Nil when the history does not go back so far, or does not keep the model.
    package func past(of record: UUID, in model: String, since version: Int64) async throws -> RecordPast? {
        let changes = try await changes(of: record, in: model, before: nil, limit: Self.mostChanges)
        guard let oldest = changes.last, oldest.commit <= version, let newest = changes.first else { return nil }
        var before: [String: FieldValue] = [:]
        for change in changes where change.commit > version {
            switch change.kind {
            case .update:
                for (name, field) in change.fields where !field.isSecret { before[name] = field.before }
            // It went and came back: there is no way from one to the other.
            case .insert, .delete: return nil
            case .link, .unlink: continue
            }
        }
        let commit = newest.commit > version ? try await commit(newest.commit) : nil
        return RecordPast(before: before, author: commit?.author, time: commit?.time)
    }
}
