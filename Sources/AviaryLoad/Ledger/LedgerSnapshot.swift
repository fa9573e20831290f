/// What a backup may hold that was taken while writes went on: of each record every state that it may have had from when
/// the backup began to when it was done. What was acknowledged before must be in it, what was begun after must not.
struct LedgerSnapshot: Sendable {
    var possible: [String: Set<RecordState>]
    /// Of the records that several edit, the newest version that an edit was made from which is in it for sure.
    let floor: [String: Int64]
    /// The titles that these may have in it.
    var shared: [String: Set<String>] = [:]

    /// The records as they must be once it is restored.
    func histories(after all: [String: RecordHistory]) -> [String: RecordHistory] {
        all.reduce(into: [:]) { result, entry in
            var history = entry.value
            history.restore(to: possible[entry.key] ?? [.absent])
            result[entry.key] = history
        }
    }
}
