/// The number of records of a model that a commit changed in the same way.
package struct ChangeTally: Sendable, Hashable {
    package let model: String
    package let kind: RecordChange.Kind
    package let count: Int

    package init(model: String, kind: RecordChange.Kind, count: Int) {
        self.model = model
        self.kind = kind
        self.count = count
    }
}

extension Sequence<RecordChange> {
    /// The counts by model and kind, in the order of their first occurrence.
    package var tally: [ChangeTally] {
        var tally: [ChangeTally] = []
        for change in self {
            let index = tally.firstIndex { $0.model == change.model && $0.kind == change.kind }
            let counted = ChangeTally(
                model: change.model, kind: change.kind, count: index.map { tally[$0].count + 1 } ?? 1)
            if let index { tally[index] = counted } else { tally.append(counted) }
        }
        return tally
    }
}
