package import Foundation

/// The conditions of the commits to list, newest first.
package struct HistoryQuery: Sendable, Hashable {
    package var record: UUID?
    /// Only commits that changed records of one of these.
    package var models: Set<String>?
    package var author: String?
    /// From the first of these to before the second.
    package var time: Range<Date>?
    /// Only commits before this one: where the page before ended.
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
