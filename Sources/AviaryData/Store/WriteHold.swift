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
