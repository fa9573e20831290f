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

    package func holdWrites(for holder: UUID) throws(StoreError) {
        commitBatch()
        if let refusal { throw .unavailable(refusal) }
        if let hold, hold.holder != holder {
            throw .unavailable("another restore is under way. Try again when it has ended.")
        }
        guard !lapsedHolders.contains(holder) else { throw .unavailable(Self.lapsed) }
        hold?.expiry.cancel()
        let expiry = Task {
            do { try await Task.sleep(for: self.longestHold) } catch { return }  // it was released, or is held on
            self.endHoldIfDue()
        }
        hold = WriteHold(
            holder: holder, since: hold?.since ?? .now, jobs: hold?.jobs ?? [], end: .now + longestHold, expiry: expiry)
    }

    package func releaseWrites(for holder: UUID) {
        if hold?.holder == holder { endHold() }
    }

    /// - Throws: ``StoreError`` where something may have been let in since writes were held.
    func requireHold(by holder: UUID) throws(StoreError) {
        guard hold?.holder == holder else { throw .unavailable(Self.lapsed) }
    }

    func endHold() {
        guard let held = hold else { return }
        held.expiry.cancel()
        hold = nil
        for job in held.jobs { accept(job) }
    }

    private func endHoldIfDue() {
        guard let held = hold, held.end <= .now else { return }
        lapsedHolders.insert(held.holder)
        endHold()
        onLapsedHold(.now - held.since)
    }

    private static let lapsed = "they were not held until the end of the restore, which changed nothing. Try it again."
}
