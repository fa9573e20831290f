import Synchronization

/// An edit of the record that all users edit.
struct SharedEdit: Sendable, Hashable, Codable {
    let record: String
    let title: String
    /// The version that the edit is based on: the newest that its author saw.
    let base: Int64
    let begun: ContinuousClock.Instant
    /// The outcome of the edit; nil while the request is in progress.
    private(set) var outcome: WriteOutcome?
    private(set) var settled: ContinuousClock.Instant?

    init(record: String, title: String, base: Int64) {
        self.record = record
        self.title = title
        self.base = base
        begun = .now
    }

    mutating func settle(as outcome: WriteOutcome) {
        self.outcome = outcome
        settled = .now
    }
}

/// The records that several users edit concurrently.
///
/// The times of the answers do not show which edit the store committed last. The base versions show it: each save
/// names the version that it is based on. The store must acknowledge at most one edit of each version, because a
/// second one would overwrite a change that its author never saw. The last acknowledged edit is the one with the
/// newest base version.
final class SharedRecords: Sendable {
    private let edits = Mutex<[SharedEdit]>([])

    func begin(_ edit: SharedEdit) {
        edits.withLock { $0.append(edit) }
    }

    func settle(_ edit: SharedEdit, as outcome: WriteOutcome) {
        edits.withLock { edits in
            if let index = edits.lastIndex(where: { $0.title == edit.title && $0.record == edit.record }) {
                edits[index].settle(as: outcome)
            }
        }
    }

    func add(_ others: [SharedEdit]) {
        edits.withLock { $0 += others }
    }

    var all: [SharedEdit] { edits.withLock { $0 } }
}

extension [SharedEdit] {
    /// The titles that each record may have now, apart from the title that it had before the first edit.
    var possibleTitles: [String: Set<String>] {
        let last = acknowledgedBases
        return titles { edit in
            guard let base = last[edit.record] else { return true }
            // The store cannot have committed another edit with the base version of the last acknowledged one.
            return edit.base > base || edit.base == base && edit.outcome == .acknowledged
        }
    }

    /// Returns the titles that each record may have had at some moment after the edits with these base versions
    /// were acknowledged.
    func possibleTitles(since floor: [String: Int64]) -> [String: Set<String>] {
        titles { $0.base >= floor[$0.record] ?? .min }
    }

    private func titles(where mayCount: (SharedEdit) -> Bool) -> [String: Set<String>] {
        reduce(into: [:]) { titles, edit in
            if edit.outcome != .refused, mayCount(edit) { titles[edit.record, default: []].insert(edit.title) }
        }
    }

    /// The newest base version of an acknowledged edit, by the id of the record.
    var acknowledgedBases: [String: Int64] {
        reduce(into: [:]) { bases, edit in
            if edit.outcome == .acknowledged { bases[edit.record] = Swift.max(bases[edit.record] ?? .min, edit.base) }
        }
    }

    /// The edits that were acknowledged although another edit with the same base version was acknowledged before.
    var overwriting: [SharedEdit] {
        var taken: [String: Set<Int64>] = [:]
        return filter { $0.outcome == .acknowledged && !taken[$0.record, default: []].insert($0.base).inserted }
    }
}
