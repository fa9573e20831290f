package import AviaryDomain
package import Foundation

/// A hold on writes, with the jobs that arrived during it, in their order.
struct WriteHold {
    let holder: UUID
    let since: ContinuousClock.Instant
    var jobs: [Job] = []
    var end: ContinuousClock.Instant
    var expiry: Task<Void, Never>
}

// Between the snapshot of the store that a restore replaces and the replacement, no commit may be acknowledged: it
// would be in neither. A hold therefore has one holder, and a holder whose hold has ended cannot start another:
// commits in the meantime would be lost.
extension Store {
    /// The maximum duration of a hold without a renewal, because the holder may have been killed. It is shorter
    /// than the time for which a form waits for its answer.
    package static let longestHold: Duration = .seconds(10)
    /// The maximum time for which one holder can hold writes by renewing its hold.
    package static let longestRenewedHold: Duration = .seconds(300)

    package func holdWrites(for holder: UUID) throws(StoreError) {
        commitBatch()
        if let refusal { throw .unavailable(refusal) }
        if let hold, hold.holder != holder {
            throw .unavailable("another restore is under way. Try again when it has ended.")
        }
        if let reason = lapsedHolders[holder] { throw .unavailable(reason) }
        hold?.expiry.cancel()
        let since = hold?.since ?? .now
        let end = min(ContinuousClock.now + longestHold, since + longestRenewedHold)
        let expiry = Task {
            // The hold was released or renewed.
            do { try await Task.sleep(until: end, clock: .continuous) } catch { return }
            self.endHoldIfDue()
        }
        hold = WriteHold(holder: holder, since: since, jobs: hold?.jobs ?? [], end: end, expiry: expiry)
    }

    /// Ends the hold of a holder whose connection has ended, because nothing can release or renew it.
    package func abandonWrites(for holder: UUID) {
        guard let held = hold, held.holder == holder else { return }
        lapse(held, because: Self.lapsed)
    }

    package func releaseWrites(for holder: UUID) {
        if hold?.holder == holder { endHold() }
    }

    /// Checks that the holder still holds writes.
    ///
    /// - Throws: ``StoreError`` if commits may have been accepted since the hold began.
    func requireHold(by holder: UUID) throws(StoreError) {
        guard hold?.holder == holder else { throw .unavailable(lapsedHolders[holder] ?? Self.lapsed) }
    }

    func endHold() {
        guard let held = hold else { return }
        held.expiry.cancel()
        hold = nil
        for job in held.jobs { accept(job) }
    }

    private func endHoldIfDue() {
        guard let held = hold, held.end <= .now else { return }
        lapse(held, because: held.end >= held.since + longestRenewedHold ? Self.heldTooLong : Self.lapsed)
    }

    private func lapse(_ held: WriteHold, because reason: String) {
        lapsedHolders[held.holder] = reason
        endHold()
        onLapsedHold(.now - held.since)
    }

    private static let lapsed = "they were not held until the end of the restore, which changed nothing. Try it again."
    private static let heldTooLong =
        "they were held as long as a restore may, and it changed nothing. Stop the server for this restore."
}

extension Store: StoreReplacing {
    /// Replaces everything but the receipts with the contents of the finished store file, between two batches.
    ///
    /// The next commit number is above those of both stores, and the restore epoch changes. Readers see the old
    /// state or the new one.
    ///
    /// - Throws: ``StoreError``. Everything is unchanged in this case.
    package func replaceContents(withStoreAt path: String, holder: UUID) throws(StoreError) -> Int64 {
        commitBatch()
        defer { releaseWrites(for: holder) }
        if let refusal { throw .unavailable(refusal) }
        try requireHold(by: holder)
        do {
            let replacement = try StoreReplacement(
                at: path, for: connection, engine: engine, tables: tables, current: durablePosition,
                history: historyPolicy, clock: clock, time: now()
            )
            try connection.replaceContents(byThoseOf: replacement.connection)
            replacement.connection.close()
            position = replacement.position
            durablePosition = replacement.position
            clock = replacement.clock
        } catch {
            let engineError = error as? EngineError
            if let engineError, engineError.isFatalInFlush { fail(engineError) }
            if engineError?.kind == .damage {
                throw .unavailable("\(StoreOpenError.damagedUnderRestore(path: directory.storePath))")
            }
            throw .unavailable(refusal ?? "the restore failed and everything is as before: \(error)")
        }
        shrinkLog()
        // The result of a finished or running check does not concern the new pages.
        if care.checker.result != .notNeeded { care.checker.start() }
        return position.commit
    }

    /// Truncates the log, which has grown by the size of the new store.
    private func shrinkLog() {
        do {
            try connection.truncateLog()
            logPagesAtCheckpoint = 0
        } catch {
            // Any other failure, such as a reader that prevents the checkpoint, only defers the work to a later
            // checkpoint.
            if error.isFatalInFlush { fail(error) }
        }
    }
}
