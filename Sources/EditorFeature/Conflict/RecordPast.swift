package import AviaryDomain
package import Foundation

/// What others did to a record since an editor opened it.
package struct RecordPast: Sendable, Hashable {
    /// What the properties that were changed held before, by name. Others are as they were. Nil when nobody knows any more.
    package let before: [String: FieldValue]?
    /// Who changed it last, and when.
    package let author: String?
    package let time: Date?

    package init(before: [String: FieldValue]?, author: String?, time: Date?) {
        self.before = before
        self.author = author
        self.time = time
    }
}

extension HistoryRepository {
    /// Nil when the history does not keep the model, or has forgotten the record.
    package func past(of record: UUID, in model: String, since version: Int64) async throws -> RecordPast? {
        if let earlier = try await values(of: record, in: model, asOf: .commit(version)) {
            return RecordPast(before: earlier.values, author: earlier.last?.author, time: earlier.last?.time)
        }
        // It does not go back so far; who was there last it may know all the same.
        guard let last = try await changes(of: record, in: model, before: nil, limit: 1).first,
            let commit = try await commit(last.commit)
        else { return nil }
        return RecordPast(before: nil, author: commit.author, time: commit.time)
    }
}
