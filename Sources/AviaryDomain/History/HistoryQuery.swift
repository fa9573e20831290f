package import Foundation

/// The conditions of the commits to list, newest first.
package struct HistoryQuery: Sendable, Hashable {
    package var record: UUID?
    /// The models of which a commit changed at least one record; nil for all commits.
    package var models: Set<String>?
    package var author: String?
    /// The period of the commits, from its first moment to before its last.
    package var time: Range<Date>?
    /// The number of the commit before which to begin: the end of the previous page.
    package var before: Int64?
    package var limit: Int

    package init(
        record: UUID? = nil, models: Set<String>? = nil, author: String? = nil, time: Range<Date>? = nil,
        before: Int64? = nil, limit: Int = 50
    ) {
        self.record = record
        self.models = models
        self.author = author
        self.time = time
        self.before = before
        self.limit = limit
    }
}
