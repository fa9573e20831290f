import Synchronization

/// What all clients together have under way, in requests and bytes, counted before a request is decoded.
final class RequestBudget: Sendable {
    private struct Counts {
        var requests = 0
        var bytes = 0
    }

    private let requestLimit: Int
    private let byteLimit: Int
    private let counts = Mutex(Counts())

    init(_ limits: ServerLimits) {
        requestLimit = limits.allRequestsInFlight
        byteLimit = limits.allBytesInFlight
    }

    /// False when there is no room. One request alone always fits.
    func enter(bytes: Int) -> Bool {
        counts.withLock { counts in
            let fits = counts.requests < requestLimit && counts.bytes + bytes <= byteLimit
            guard fits || counts.requests == 0 else { return false }
            counts.requests += 1
            counts.bytes += bytes
            return true
        }
    }

    func leave(bytes: Int) {
        counts.withLock { counts in
            counts.requests -= 1
            counts.bytes -= bytes
        }
    }
}
