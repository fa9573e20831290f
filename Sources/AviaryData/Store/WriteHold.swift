package import AviaryDomain
package import Foundation

/// The requests that arrived while writes are held, in their order.
struct WriteHold {
    let holder: UUID
    let since: ContinuousClock.Instant
    var jobs: [Job] = []
    var end: ContinuousClock.Instant
    var expiry: Task<Void, Never>
}

// Between the snapshot of what a restore replaces and the replacement nothing may be acknowledged: it would be in neither. So a
// hold has one holder, and one that has ended is not begun again by the same: what was let in meanwhile would be lost.
extension Store {
    /// The longest hold, because the holder may have been killed. It is shorter than a form waits for its answer.
    package static let longestHold: Duration = .seconds(10)
    /// The longest time for which one holder holds writes by renewing its hold.
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
            // It was released, or is held on.
            do { try await Task.sleep(until: end, clock: .continuous) } catch { return }
            self.endHoldIfDue()
        }
        hold = WriteHold(holder: holder, since: since, jobs: hold?.jobs ?? [], end: end, expiry: expiry)
    }

    /// Ends the hold of a holder whose connection has ended: nothing releases it any more, nor is it renewed.
    package func abandonWrites(for holder: UUID) {
        guard let held = hold, held.holder == holder else { return }
        lapse(held, because: Self.lapsed)
    }

    package func releaseWrites(for holder: UUID) {
        if hold?.holder == holder { endHold() }
    }

    /// - Throws: ``StoreError`` where something may have been let in since writes were held.
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
    /// Puts the finished store file in place of everything but the receipts, between two batches. The commit number goes
    /// on above both, and the restore epoch changes; readers see the old state or the new one.
    ///
    /// - Throws: ``StoreError``; then everything is as before.
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
        // What was found out about the file, or is being found out, is not about these pages.
        if care.checker.result != .notNeeded { care.checker.start() }
        return position.commit
    }

    /// The log has grown by the size of the new store.
    private func shrinkLog() {
        do {
            try connection.truncateLog()
            logPagesAtCheckpoint = 0
        } catch {
            // Anything else, such as a reader in the way, only leaves the work to a later checkpoint.
            if error.isFatalInFlush { fail(error) }
        }
    }
}
