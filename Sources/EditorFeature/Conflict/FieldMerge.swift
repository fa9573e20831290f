package import AviaryDomain
package import Foundation

/// The result of merging a record's typed texts with changes that others made during the edit.
///
/// A field that only others changed takes their text. A field that only the editor changed keeps its own. If both
/// changed it, the user chooses.
package struct FieldMerge: Sendable, Hashable {
    /// The fields that both sides changed, by property name.
    package let comparisons: [String: FieldComparison]
    /// The fields that only others changed, by property name.
    package let merged: [String: FieldComparison]

    static let none = FieldMerge(of: [], theirs: [:], mine: [:], before: nil)

    package var isEmpty: Bool { comparisons.isEmpty && merged.isEmpty }

    /// Creates a merge of the given properties.
    ///
    /// - Parameters:
    ///   - before: The values of the changed properties before others changed them. If nil, they are unknown, and
    ///     the user chooses for every difference.
    ///   - decisions: The choices that the user already made.
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

    /// Returns the typed texts, with those of the others where they were taken over.
    func texts(_ mine: [String: String]) -> [String: String] {
        mine.merging(merged.mapValues(\.theirs)) { _, theirs in theirs }
    }
}

extension PropertySchema {
    /// Indicates whether the two texts mean different values. `2.5` equals `2.50`, and the same JSON can be written
    /// in many ways.
    fileprivate func isOther(_ stored: String, than typed: String) -> Bool {
        guard !stored.hasSameLines(as: typed) else { return false }
        guard case .success(let value) = parse(typed: typed) else { return true }
        return (type == .date ? parse(typed: stored) : parse(stored)) != .success(value)
    }
}

/// Two conflicting texts of one field, one of which is kept.
package struct FieldComparison: Sendable, Hashable {
    package enum Side: String, Sendable, Hashable {
        case mine, theirs
    }

    /// The text when the editor opened the record; nil if it is no longer known.
    package let before: String?
    /// The text that is stored now.
    package let theirs: String
    package let mine: String
    /// The text to keep; nil until the user chooses.
    package internal(set) var kept: Side?
}

/// The changes that others made to a record since an editor opened it.
package struct ConcurrentChanges: Sendable, Hashable {
    /// The earlier values of the changed properties, by name; nil if they are no longer known. Properties that are
    /// not listed are unchanged.
    package let before: [String: FieldValue]?
    /// The author of the last change.
    package let author: String?
    /// The time of the last change.
    package let time: Date?

    package init(before: [String: FieldValue]?, author: String?, time: Date?) {
        self.before = before
        self.author = author
        self.time = time
    }
}

extension HistoryRepository {
    /// Returns the changes to a record since a version, or nil if the history does not track the model or no longer
    /// contains the record.
    package func past(of record: UUID, in model: String, since version: Int64) async throws -> ConcurrentChanges? {
        if let earlier = try await values(of: record, in: model, asOf: .commit(version)) {
            return ConcurrentChanges(before: earlier.values, author: earlier.last?.author, time: earlier.last?.time)
        }
        // The history does not reach back to that version, but it may still know the author of the last change.
        guard let last = try await changes(of: record, in: model, before: nil, limit: 1).first,
            let commit = try await commit(last.commit)
        else { return nil }
        return ConcurrentChanges(before: nil, author: commit.author, time: commit.time)
    }
}
