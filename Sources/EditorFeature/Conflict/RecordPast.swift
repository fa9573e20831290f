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
    /// Nil when the history does not go back so far, or does not keep the model.
    package func past(of record: UUID, in model: String, since version: Int64) async throws -> RecordPast? {
        try await values(of: record, in: model, asOf: .commit(version)).map { earlier in
            RecordPast(before: earlier.values, author: earlier.last?.author, time: earlier.last?.time)
        }
    }
}
