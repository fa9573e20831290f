package import Foundation

/// The progress of a large delete or undo that the store makes in steps.
package struct LongChangeStatus: Sendable, Hashable, Codable {
    package enum Step: String, Sendable, Hashable, Codable {
        /// The store finds the records, or restores those of an undo. Nobody sees anything of it.
        case preparing
        /// The store checks what else the change affects. Nobody sees anything of it.
        case checking
        /// The change is committed and visible as a whole. The store removes the rows and writes the history.
        case completing
        /// The change was refused or stopped. The store removes what it has prepared.
        case stopping
    }

    /// The id of the change set, by which the change can be stopped.
    package let changeSet: UUID
    package let author: String
    /// The time at which the store began.
    package let began: Date
    /// The number of the commit that it undoes; nil for a delete.
    package let undoes: Int64?
    package let step: Step
    /// The number of rows or history entries that this step has done, and of all that are known by now.
    package let done: Int
    package let total: Int
    /// The number of the commit; nil before it.
    package let commit: Int64?
    /// The numbers of deleted or restored records that are known by now, by model.
    package let records: [String: Int]
    /// The number of other large changes that wait.
    package let waiting: Int

    package init(
        changeSet: UUID, author: String, began: Date, undoes: Int64?, step: Step, done: Int, total: Int,
        commit: Int64? = nil, records: [String: Int] = [:], waiting: Int = 0
    ) {
        self.changeSet = changeSet
        self.author = author
        self.began = began
        self.undoes = undoes
        self.step = step
        self.done = done
        self.total = total
        self.commit = commit
        self.records = records
        self.waiting = waiting
    }

    /// Indicates whether the change can be stopped, so that nothing of it is done.
    package var canBeStopped: Bool { step == .preparing || step == .checking }

    /// Returns the progress in words, in English.
    package var words: String {
        let done = TextFormatter.grouped(min(done, total)), total = TextFormatter.grouped(total)
        return switch (step, undoes) {
        case (.preparing, nil): "found \(total) records"
        case (.checking, nil): "checked \(done) of \(total) records"
        case (.completing, nil): "deleted; removed \(done) of \(total) rows"
        case (.preparing, _?), (.checking, _?): "restored \(done) of \(total) records"
        case (.completing, _?): "restored; noted \(done) of \(total) rows"
        case (.stopping, _): "stopped; removed \(done) of \(total) rows"
        }
    }
}
