import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What one connection may cost: times, sizes and numbers. `docs/http.md` tells where the figures come from.
///
/// Tests shrink them; a running server has ``standard``.
struct ConnectionLimits: Sendable {
    // MARK: Times

    /// From the opening of a connection to its first byte, and from the first byte of a request to the end of its header
    /// fields, however slowly they drip.
    var head = TimeAmount.seconds(10)
    /// Between an answer and the next request.
    var idle = TimeAmount.seconds(60)
    /// How far a body, or a reader of an answer, may fall behind ``leastRate``; a full stop may last as long.
    var transfer = TimeAmount.seconds(30)
    /// Bytes a second that a body must bring, and that a reader must take, on the whole.
    var leastRate = 1024
    /// From the moment a client has closed its side while a page is made for it, until that work is ended. Long enough
    /// for an answer to a script that closes its side at once and reads on.
    var departure = TimeAmount.seconds(1)
    /// After an answer that ends the connection, how long to go on reading what the client still sends: closing on
    /// unread bytes makes the system reset the connection, which may destroy the answer on its way.
    var lingering = TimeAmount.seconds(30)
    /// Ends the lingering earlier: nothing was sent for so long.
    var lingeringSilence = TimeAmount.seconds(2)

    // MARK: Sizes, in bytes unless said otherwise

    /// The request line and all header fields, with their line ends. Twice what a stock nginx lets pass in one field.
    var headSize = 16 * 1024
    /// The target in the request line. RFC 9112 asks for 8,000 at least.
    var targetSize = 8 * 1024
    /// The number of header fields.
    var fields = 100
    /// Any body. A form has a smaller limit of its own, and a page that says so.
    var bodySize = 16 * 1024 * 1024
    /// A body that is sent to an address for files, which writes it to a disk as it comes.
    var uploadSize = 8 * 1024 * 1024 * 1024
    /// What chunks may need beside their data, trailers included.
    var chunkOverhead = 16 * 1024
    /// What is read and thrown away while lingering.
    var lingeringSize = 64 * 1024 * 1024

    // MARK: Numbers

    /// Connections of a process at a time.
    var connections = ConnectionLimits.connections(descriptors: ConnectionLimits.descriptorLimit)
    /// How long a connection must have been silent before it is closed to make room for another one.
    var leastSilence = TimeAmount.milliseconds(250)
    /// How far behind its pace a body must be before it is ended to make room for another connection.
    var leastDelay = TimeAmount.seconds(1)
    /// Bytes of answers that wait for their readers, of all connections of a process together. Above it the slowest
    /// readers are closed.
    var waitingAnswers = 24 * 1024 * 1024

    static let standard = ConnectionLimits()
}

extension ConnectionLimits {
    /// More would only wait for the processor.
    private static let mostConnections = 4096
    /// Descriptors for everything else: the store's files, event loops, pipes, the way to the store process.
    private static let reserve = 40...128

    /// How many connections leave enough descriptors for the rest of the process.
    static func connections(descriptors: Int) -> Int {
        let kept = min(max(descriptors / 4, reserve.lowerBound), reserve.upperBound)
        return min(max(descriptors - kept, 8), mostConnections)
    }

    /// How many descriptors the system gives to this process.
    static var descriptorLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        // POSIX promises 20; unlimited does not fit a number of connections.
        guard result == 0 else { return 20 }
        return Int(min(limit.rlim_cur, 1 << 20))
    }
}

/// Whether bytes keep coming.
///
/// A transfer begins with some seconds of credit. Every byte earns its time at the least rate; what is earned above the
/// first credit is lost, so that nothing that came quickly pays for a long stop.
struct TransferCredit {
    /// When the credit is used up.
    private(set) var deadline: NIODeadline
    private let credit: TimeAmount
    private let leastRate: Int

    init(_ limits: ConnectionLimits, from now: NIODeadline) {
        credit = limits.transfer
        leastRate = max(limits.leastRate, 1)
        deadline = now + credit
    }

    /// Time in which nobody waited for bytes costs nothing.
    mutating func pause(_ time: TimeAmount) {
        deadline = deadline + time
    }

    mutating func earn(_ bytes: Int, at now: NIODeadline) {
        let (nanoseconds, overflow) = Int64(max(bytes, 0)).multipliedReportingOverflow(by: 1_000_000_000)
        let earned = overflow ? credit : .nanoseconds(nanoseconds / Int64(leastRate))
        deadline = min(deadline + min(earned, credit), now + credit)
    }
}
