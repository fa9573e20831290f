import Synchronization

/// The limit of the requests that a process handles concurrently. A request whose body is still arriving does not
/// count.
///
/// Beyond the limit the server rejects requests, because a queue would only delay all of them. Requests that may
/// change something have a limit of their own: they wait when the store process is not running, and pages have to
/// stay readable meanwhile.
package final class RequestAdmission: Sendable {
    private let limit: Int
    private let changeLimit: Int
    private let requests = Atomic(0)
    private let changes = Atomic(0)

    /// Creates the limits.
    ///
    /// - Parameters:
    ///   - limit: The largest number of concurrent requests.
    ///   - changeLimit: The largest number of concurrent requests that may change something. They also count toward
    ///     `limit`.
    package init(limit: Int = 512, changeLimit: Int = 384) {
        self.limit = limit
        self.changeLimit = changeLimit
    }

    /// The number of requests that are being handled.
    var inFlight: Int { requests.load(ordering: .relaxed) }

    /// Admits a request if the limits permit it.
    ///
    /// - Returns: Whether the request is admitted. If so, the caller must call ``leave(isChange:)`` later.
    func enter(isChange: Bool) -> Bool {
        if isChange, changes.wrappingAdd(1, ordering: .relaxed).oldValue >= changeLimit {
            changes.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        if requests.wrappingAdd(1, ordering: .relaxed).oldValue >= limit {
            leave(isChange: isChange)
            return false
        }
        return true
    }

    func leave(isChange: Bool) {
        requests.wrappingSubtract(1, ordering: .relaxed)
        if isChange { changes.wrappingSubtract(1, ordering: .relaxed) }
    }
}

/// The admission of one request. The request releases it while its body arrives.
package final class AdmissionTicket: Sendable {
    private let admission: RequestAdmission
    private let isChange: Bool
    private let isHeld = Mutex(false)

    /// Creates a ticket, or returns nil if the limits are reached.
    package init?(_ admission: RequestAdmission, isChange: Bool) {
        self.admission = admission
        self.isChange = isChange
        guard enter() else { return nil }
    }

    /// Admits the request unless it is admitted already.
    ///
    /// - Returns: Whether the request is admitted now.
    func enter() -> Bool {
        isHeld.withLock { isHeld in
            if !isHeld { isHeld = admission.enter(isChange: isChange) }
            return isHeld
        }
    }

    package func leave() {
        isHeld.withLock { isHeld in
            if isHeld { admission.leave(isChange: isChange) }
            isHeld = false
        }
    }
}
