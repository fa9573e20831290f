package import AviaryDomain
package import Foundation

/// What becomes of a record's texts where others changed it while it was edited. A field that only others changed takes their
/// text; one that only the editor changed keeps its own; of both, somebody has to choose.
package struct FieldMerge: Sendable, Hashable {
    /// Fields that both changed, by property name.
    package let comparisons: [String: FieldComparison]
    /// Fields that only others changed.
    package let merged: [String: FieldComparison]

    static let none = FieldMerge(of: [], theirs: [:], mine: [:], before: nil)

    package var isEmpty: Bool { comparisons.isEmpty && merged.isEmpty }

    /// - Parameters:
    ///   - before: What the properties that were changed held before. Nil when nobody knows: then every difference is to be chosen.
    ///   - decisions: What was chosen already.
    init(
        of properties: [PropertySchema], theirs: [String: FieldValue], mine: [String: String],
        before: [String: FieldValue]?,
        decisions: [String: FieldComparison.Side] = [:]
    ) {
        var comparisons: [String: FieldComparison] = [:], merged: [String: FieldComparison] = [:]
        for property in properties {
            let value = theirs[property.name] ?? .null
            let theirs = property.controlText(of: value), mine = mine[property.name] ?? ""
            guard property.isOther(theirs, than: mine) else { continue }
            let before = before.map { before in property.controlText(of: before[property.name] ?? value) }
            if let before, !property.isOther(before, than: mine) {
                merged[property.name] = FieldComparison(before: before, theirs: theirs, mine: mine, kept: .theirs)
            } else if let before, !property.isOther(before, than: theirs) {
                continue
            } else {
                comparisons[property.name] = FieldComparison(
                    before: before, theirs: theirs, mine: mine, kept: decisions[property.name])
            }
        }
        self.comparisons = comparisons
        self.merged = merged
    }

    /// The texts with those of the others that were taken over.
    func texts(_ mine: [String: String]) -> [String: String] {
        mine.merging(merged.mapValues(\.theirs)) { _, theirs in theirs }
    }
}

extension PropertySchema {
    /// Whether the texts mean something else: `2.5` is `2.50`, and JSON may be written in many ways.
    fileprivate func isOther(_ stored: String, than typed: String) -> Bool {
        guard !stored.hasSameLines(as: typed) else { return false }
        guard case .success(let value) = parse(typed: typed) else { return true }
        return parse(stored) != .success(value)
    }
}

/// Two texts of one field, of which one can stay.
package struct FieldComparison: Sendable, Hashable {
    package enum Side: String, Sendable, Hashable {
        case mine, theirs
    }

    /// What it was when the editor opened the record; nil when that is not known any more.
    package let before: String?
    /// As it is stored now.
    package let theirs: String
    package let mine: String
    /// Which one stays; nil as long as nobody has said it.
    package internal(set) var kept: Side?
}

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
