import AviaryDomain

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
