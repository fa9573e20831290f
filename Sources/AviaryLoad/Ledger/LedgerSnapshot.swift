/// What a backup may hold that was taken from one moment to another while writes went on: of each record every state that it
/// may have had meanwhile. What was acknowledged before must be in it, what was begun after must not.
///
/// It is told from what all client processes entered, each write with its times, once all of that is together: they share the
/// machine's clock.
struct LedgerSnapshot: Sendable {
    /// The records as they must be once it is restored.
    let histories: [String: RecordHistory]
    /// Of the records that several edit, the newest version that an edit was made from which is in it for sure.
    let floor: [String: Int64]
    /// The titles that these may have in it.
    let shared: [String: Set<String>]

    init(of ledger: Ledger, from begin: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        histories = ledger.histories.mapValues { history in
            var history = history
            history.restore(to: history.possible(from: begin, to: end))
            return history
        }
        let edits = ledger.shared.all
        floor = edits.filter { $0.settled.map { $0 <= begin } ?? false }.acknowledgedBases
        shared = edits.filter { $0.begun <= end }.possibleTitles(since: floor)
    }
}
