package import AviaryDomain
package import Foundation

/// A write lease, with the jobs that arrived during it, in their order.
struct WriteLease {
    let holder: UUID
    let since: ContinuousClock.Instant
    var jobs: [Job] = []
    var end: ContinuousClock.Instant
    var expiry: Task<Void, Never>
}

// While one restore decides to replace the store, nothing is committed, also by other hosts, and no other restore does the
// same. A lease therefore has one holder, and a holder whose lease has ended cannot start another: its account may have
// lost the permission meanwhile.
extension Store {
    /// The maximum duration of a lease without a renewal, because the holder may have been killed. It is shorter
    /// than the time for which a form waits for its answer.
    package static let maximumLeaseDuration: Duration = .seconds(10)
    /// The maximum time for which one holder can hold writes, also by renewing its lease.
    package static let maximumRenewedLeaseDuration: Duration = .seconds(20)

    package func acquireWriteLease(for holder: UUID) throws(StoreError) {
        commitBatch()
        if let refusal { throw .unavailable(refusal) }
        if let outage = shared.outage { throw .unavailable(outage.cause.reason) }
        if let lease, lease.holder != holder {
            throw .unavailable("another restore is under way. Try again when it has ended.")
        }
        if let reason = expiredLeases[holder] { throw .unavailable(reason) }
        lease?.expiry.cancel()
        let since = lease?.since ?? .now
        let end = min(ContinuousClock.now + maximumLeaseDuration, since + maximumRenewedLeaseDuration)
        do {
            // The other hosts are let in a little later than this one, whose lease decides.
            try keepOtherHostsOut(for: end - .now + .seconds(2))
        } catch {
            throw .unavailable((error as? EngineError)?.reason ?? error.redactedText)
        }
        let expiry = Task {
            // The lease was released or renewed.
            do { try await Task.sleep(until: end, clock: .continuous) } catch { return }
            self.expireWriteLeaseIfDue()
        }
        lease = WriteLease(holder: holder, since: since, jobs: lease?.jobs ?? [], end: end, expiry: expiry)
    }

    /// Ends the lease of a holder whose connection has ended, because nothing can release or renew it.
    package func abandonWriteLease(for holder: UUID) {
        guard let held = lease, held.holder == holder else { return }
        expire(held, because: Self.notHeld)
    }

    package func releaseWriteLease(for holder: UUID) {
        if lease?.holder == holder { releaseLease() }
    }

    /// Checks that the holder still holds writes.
    ///
    /// - Throws: ``StoreError`` if commits may have been accepted since the lease began.
    func requireWriteLease(by holder: UUID) throws(StoreError) {
        guard lease?.holder == holder else { throw .unavailable(expiredLeases[holder] ?? Self.notHeld) }
    }

    func releaseLease() {
        guard let held = lease else { return }
        held.expiry.cancel()
        lease = nil
        // They are let in by themselves if the connection is lost.
        _ = try? keepOtherHostsOut(for: nil)
        meter.worked(.hold, for: .now - held.since)
        for job in held.jobs { accept(job) }
        scheduleLongChange()
    }

    private func keepOtherHostsOut(for duration: Duration?) throws {
        guard let database = connection.database, refusal == nil else { return }
        try transaction { try database.keepOthersOut(for: duration) }
    }

    private func expireWriteLeaseIfDue() {
        guard let held = lease, held.end <= .now else { return }
        expire(held, because: held.end >= held.since + maximumRenewedLeaseDuration ? Self.heldTooLong : Self.notHeld)
    }

    private func expire(_ held: WriteLease, because reason: String) {
        expiredLeases[held.holder] = reason
        releaseLease()
        onExpiredLease(.now - held.since)
    }

    private static let notHeld = "they were not held until the end of the restore, which changed nothing. Try it again."
    private static let heldTooLong =
        "they were held as long as a restore may, and it changed nothing. Stop the server for this restore."
}

extension Store: StoreReplacing {
    /// Replaces everything but the receipts with the contents of the finished store file, between two batches.
    ///
    /// The next commit number is above those of both stores, and the restore epoch changes. Readers see the old
    /// state or the new one. The replaced store remains with all that was acknowledged.
    ///
    /// - Throws: ``StoreError``. Everything is unchanged in this case.
    package func replaceContents(
        withStoreAt path: String, keepingReplacedAt kept: String, holder: UUID
    ) throws(StoreError) -> Int64 {
        commitBatch()
        defer { releaseWriteLease(for: holder) }
        if let refusal { throw .unavailable(refusal) }
        try requireWriteLease(by: holder)
        do {
            guard shared.outage == nil, !shared.isOutdated else { throw SharedState.changedMeanwhile }
            // The lock says that no killed restore has left the place.
            let place = try ReplacedStore(at: kept)
            defer { withExtendedLifetime(place) {} }
            let replacement = try StoreReplacement(
                at: path, for: connection, engine: engine, tables: tables, current: durablePosition,
                history: historyPolicy, clock: clock, time: now()
            )
            defer { replacement.connection.close() }
            try connection.replaceContents(byThoseOf: replacement.connection, keepingReplacedAt: kept)
            position = replacement.position
            durablePosition = replacement.position
            clock = replacement.clock
            shared.restoreEpoch = try MetaTable.text(.restoreEpoch, in: connection)
            mergeDebts = [:]
            shared.isOutdated = connection.database != nil
            try forgetLongChange()
        } catch {
            let engineError = error as? EngineError
            shared.isOutdated = connection.database != nil
            if let engineError, noteOutage(engineError) { throw .unanswered }
            if let engineError, engineError.isFatalInFlush { fail(engineError) }
            if engineError?.kind == .damage {
                throw .unavailable("\(StoreOpenError.damagedUnderRestore(path: directory.storePath))")
            }
            throw .unavailable(refusal ?? "the restore failed and everything is as before: \(error)")
        }
        shrinkLog()
        // The result of a finished or running check does not concern the new pages.
        if maintenance.checker.result != .notNeeded { maintenance.checker.start() }
        return position.commit
    }

    /// Truncates the log, which has grown by the size of the new store.
    private func shrinkLog() {
        do throws(EngineError) {
            try truncateLog()
        } catch {
            // Any other failure, such as a reader that prevents the checkpoint, only defers the work to a later
            // checkpoint.
            if error.isFatalInFlush { fail(error) }
        }
    }
}
