import Synchronization

/// What this process has under way with the store, bounded: what does not fit is refused at once, so that a store that is
/// slow or stopped costs neither memory nor patience without end.
final class RequestWindow: Sendable {
    private struct Counts {
        var requests = 0
        var bytes = 0
    }

    private let requestLimit: Int
    private let byteLimit: Int
    private let counts = Mutex(Counts())

    init(_ limits: ClientLimits) {
        requestLimit = limits.requests
        byteLimit = limits.bytes
    }

    var requests: Int { counts.withLock { $0.requests } }

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
