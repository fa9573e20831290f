import AviaryDomain

extension HistoryRepository {
    /// Returns the counts of all changes of a commit, also while the store still writes its history.
    ///
    /// A large change is visible as a whole before all of its entries are in the history. A delete's status has the
    /// numbers of its records; an undo makes the inverse of the changes of the commit that it undoes.
    ///
    /// - Parameter longChange: The large change under way, read before this call, so that a history without the change
    ///   is complete; nil if there is none.
    /// - Throws: `ReadError`.
    func tally(of commit: Int64, during longChange: LongChangeStatus?) async throws -> [ChangeTally] {
        guard let longChange, longChange.commit == commit else { return try await tally(of: commit, limit: nil) }
        if let undone = longChange.undoes {
            return try await tally(of: undone, limit: nil).map {
                ChangeTally(model: $0.model, kind: $0.kind.inverted, count: $0.count)
            }
        }
        let others = try await tally(of: commit, limit: nil).filter { $0.kind != .delete }
        return longChange.records.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map {
            ChangeTally(model: $0.key, kind: .delete, count: $0.value)
        } + others
    }
}

extension RecordChange.Kind {
    /// The kind of the change that reverses a change of this kind.
    fileprivate var inverted: RecordChange.Kind {
        switch self {
        case .insert: .delete
        case .delete: .insert
        case .update: .update
        case .link: .unlink
        case .unlink: .link
        }
    }
}
