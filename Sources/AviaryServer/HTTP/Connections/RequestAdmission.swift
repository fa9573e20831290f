import Synchronization

/// How many requests a process works on at a time. One whose body is still arriving is none of them.
///
/// Above that, waiting in line would only make everybody late. Requests that may change something have a share of their
/// own: when the store is away they wait for it, and pages shall be read meanwhile.
final class RequestAdmission: Sendable {
    private let limit: Int
    private let changeLimit: Int
    private let requests = Atomic(0)
    private let changes = Atomic(0)

    /// - Parameters:
    ///   - limit: requests at a time.
    ///   - changeLimit: of these, how many may be such as change something.
    init(limit: Int = 512, changeLimit: Int = 384) {
        self.limit = limit
        self.changeLimit = changeLimit
    }

    /// How many are worked on now.
    var inFlight: Int { requests.load(ordering: .relaxed) }

    /// - Returns: whether there is room; then ``leave(isChange:)`` has to follow.
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

/// One request's place among those that are worked on. It is given up while the request's body arrives.
final class AdmissionTicket: Sendable {
    private let admission: RequestAdmission
    private let isChange: Bool
    private let isHeld = Mutex(false)

    /// Nil where there is no room.
    init?(_ admission: RequestAdmission, isChange: Bool) {
        self.admission = admission
        self.isChange = isChange
        guard enter() else { return nil }
    }

    /// - Returns: whether the request has a place now.
    func enter() -> Bool {
        isHeld.withLock { isHeld in
            if !isHeld { isHeld = admission.enter(isChange: isChange) }
            return isHeld
        }
    }

    func leave() {
        isHeld.withLock { isHeld in
            if isHeld { admission.leave(isChange: isChange) }
            isHeld = false
        }
    }
}
