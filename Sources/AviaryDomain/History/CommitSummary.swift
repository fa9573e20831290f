package import Foundation

/// The author, the time and the size of a commit.
package struct CommitSummary: Sendable, Hashable {
    package let number: Int64
    package let changeSet: UUID
    package let author: String
    package let time: Date
    /// The number of records that the commit changed, including those that delete rules deleted.
    package let changes: Int
    /// The commit that this one takes back.
    package let undoes: Int64?

    package init(number: Int64, changeSet: UUID, author: String, time: Date, changes: Int, undoes: Int64?) {
        self.number = number
        self.changeSet = changeSet
        self.author = author
        self.time = time
        self.changes = changes
        self.undoes = undoes
    }
}
