import Synchronization

/// An edit of the record that all edit.
struct SharedEdit: Sendable, Hashable, Codable {
    let record: String
    let title: String
    /// The version that it was made from: the newest that its author saw.
    let base: Int64
    let begun: ContinuousClock.Instant
    /// Nil while it is under way.
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

/// The records that several edit at a time.
///
/// Whose edit came last nobody outside of the store can tell from the time of an answer. What can be told: each save says
/// which version it was made from, so no two of them may be acknowledged for the same one (the later would have overwritten
/// what its author never saw), and the last of the acknowledged is the one with the newest.
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
    /// The titles that each record may have now, besides the one that it had before anybody edited it.
    var possibleTitles: [String: Set<String>] {
        let last = acknowledgedBases
        return titles { edit in
            guard let base = last[edit.record] else { return true }
            // Made from the same version as the last that was acknowledged, another cannot have been stored.
            return edit.base > base || edit.base == base && edit.outcome == .acknowledged
        }
    }

    /// The titles that each may have had at some moment since the edits of these bases had been acknowledged.
    func possibleTitles(since floor: [String: Int64]) -> [String: Set<String>] {
        titles { $0.base >= floor[$0.record] ?? .min }
    }

    private func titles(where mayCount: (SharedEdit) -> Bool) -> [String: Set<String>] {
        reduce(into: [:]) { titles, edit in
            if edit.outcome != .refused, mayCount(edit) { titles[edit.record, default: []].insert(edit.title) }
        }
    }

    /// By record, the newest version that an acknowledged edit was made from.
    var acknowledgedBases: [String: Int64] {
        reduce(into: [:]) { bases, edit in
            if edit.outcome == .acknowledged { bases[edit.record] = Swift.max(bases[edit.record] ?? .min, edit.base) }
        }
    }

    /// Edits that were acknowledged although another was, made from the same version.
    var overwriting: [SharedEdit] {
        var taken: [String: Set<Int64>] = [:]
        return filter { $0.outcome == .acknowledged && !taken[$0.record, default: []].insert($0.base).inserted }
    }
}
