import Synchronization

/// What is under way, bounded in requests and bytes: what does not fit is refused at once, by the server before it is decoded. So a
/// store that is slow or stopped costs a client neither memory nor patience without end, and all clients together cannot fill the
/// store's.
final class RequestWindow: Sendable {
    private struct Counts {
        var requests = 0
        var bytes = 0
    }

    private let requestLimit: Int
    private let byteLimit: Int
    private let counts = Mutex(Counts())

    init(requests: Int, bytes: Int) {
        requestLimit = requests
        byteLimit = bytes
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
