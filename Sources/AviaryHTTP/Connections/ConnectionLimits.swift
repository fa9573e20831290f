import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The limits of a connection: times, sizes and numbers. `docs/http.md` explains the figures.
///
/// Tests use smaller limits; a running server uses ``standard``.
package struct ConnectionLimits: Sendable {
    // MARK: Times

    /// The time from the opening of a connection to its first byte, and from the first byte of a request to the end
    /// of its header fields, at whatever rate they arrive.
    var head = TimeAmount.seconds(10)
    /// The time between an answer and the next request.
    var idle = TimeAmount.seconds(60)
    /// The time that a body, or a reader of an answer, may fall behind ``leastRate``. A complete stop may last as
    /// long.
    var transfer = TimeAmount.seconds(30)
    /// The least average rate at which a body must arrive and a reader must read, in bytes per second.
    var leastRate = 1024
    /// The time from the moment at which a client closes its side to the cancellation of the work for its page.
    ///
    /// It is long enough for an answer to a script that closes its side at once and still reads.
    var departure = TimeAmount.seconds(1)
    /// The time for which the server reads on after an answer that ends the connection.
    ///
    /// If unread bytes remain when a socket is closed, the system resets the connection, which may destroy the
    /// answer before the client has read it.
    var lingering = TimeAmount.seconds(30)
    /// The time without any byte from the client that ends the lingering early.
    var lingeringSilence = TimeAmount.seconds(2)

    // MARK: Sizes, in bytes unless said otherwise

    /// The largest size of the request line and all header fields, with their line ends. This is twice the size
    /// that nginx accepts for a single field by default.
    var headSize = 16 * 1024
    /// The largest size of the target in the request line. RFC 9112 recommends at least 8,000 bytes.
    var targetSize = 8 * 1024
    /// The largest number of header fields.
    var fields = 100
    /// The largest size of any body. Forms have a smaller limit of their own, and a page that explains it.
    var bodySize = 16 * 1024 * 1024
    /// The largest size of a body that is complete before its request reaches a route. Of a longer body, and of chunks
    /// beyond this size, the route reads the parts as they arrive.
    ///
    /// It is the size of the largest form of a person who is not signed in.
    var shortBody = 16 * 1024
    /// The largest size of a body that is sent to one of ``uploadPaths``. The server writes it to a disk as it
    /// arrives.
    var uploadSize = 8 * 1024 * 1024 * 1024
    /// The paths that accept bodies of ``uploadSize``; none by default.
    package var uploadPaths: [UploadPath] = []
    /// The largest size of chunk headers, chunk extensions and trailers together, in addition to a quarter of the
    /// data.
    var chunkOverhead = 16 * 1024
    /// The largest number of bytes that are read and discarded while lingering.
    var lingeringSize = 64 * 1024 * 1024

    // MARK: Numbers

    /// The largest number of open connections of a process.
    var connections = ConnectionLimits.connections(descriptors: ConnectionLimits.descriptorLimit)
    /// The least time for which a connection must have been silent before it is closed in favor of another one.
    var leastSilence = TimeAmount.milliseconds(250)
    /// The least delay that a body must have before it is ended in favor of another connection.
    var leastDelay = TimeAmount.seconds(1)
    /// The largest size of unread answers of all connections of a process together. Above it the server closes the
    /// slowest readers.
    var waitingAnswers = 24 * 1024 * 1024
    /// The largest size of the requests of all connections of a process whose short bodies are not complete. Above it
    /// the server ends the slowest.
    var waitingBodies = 8 * 1024 * 1024

    package static let standard = ConnectionLimits()
}

extension ConnectionLimits {
    /// The largest number of connections. More would only wait for the processor.
    private static let mostConnections = 4096
    /// The descriptors for everything else: the store's files, event loops, pipes, and the connection to the store
    /// process.
    private static let reserve = 40...128

    /// Returns the number of connections that leaves enough descriptors for the rest of the process.
    static func connections(descriptors: Int) -> Int {
        let kept = min(max(descriptors / 4, reserve.lowerBound), reserve.upperBound)
        return min(max(descriptors - kept, 8), mostConnections)
    }

    /// The number of descriptors that the system grants to this process.
    static var descriptorLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        // POSIX guarantees 20. The value for "unlimited" does not fit a number of connections.
        guard result == 0 else { return 20 }
        return Int(min(limit.rlim_cur, 1 << 20))
    }
}

/// A path that accepts files.
package struct UploadPath: Sendable {
    /// The bytes before and after the placeholder, in lower case; the whole path if it has no placeholder.
    private let prefix: [UInt8]
    private let suffix: [UInt8]?

    /// Creates a path from a route with at most one placeholder, such as `/admin/{model}/import`.
    package init(_ route: String) {
        let bytes = route.utf8.map(ByteClass.lowercased)
        if let start = bytes.firstIndex(of: UInt8(ascii: "{")), let end = bytes.lastIndex(of: UInt8(ascii: "}")) {
            prefix = Array(bytes[..<start])
            suffix = Array(bytes[(end + 1)...])
        } else {
            prefix = bytes
            suffix = nil
        }
    }

    /// Returns whether bytes are this path, ignoring ASCII case.
    func matches(_ bytes: Span<UInt8>, _ path: Range<Int>) -> Bool {
        guard let suffix else { return path.count == prefix.count && Self.begins(bytes, at: path.lowerBound, prefix) }
        return path.count > prefix.count + suffix.count && Self.begins(bytes, at: path.lowerBound, prefix)
            && Self.begins(bytes, at: path.upperBound - suffix.count, suffix)
    }

    private static func begins(_ bytes: Span<UInt8>, at start: Int, _ word: [UInt8]) -> Bool {
        for (index, letter) in word.enumerated() where ByteClass.lowercased(bytes[start + index]) != letter {
            return false
        }
        return true
    }
}

/// The time credit of a transfer, which checks that bytes arrive fast enough.
///
/// A transfer begins with some seconds of credit. Every byte earns the time that it takes at the least rate. The
/// credit never exceeds its initial value, so that a fast beginning does not pay for a long stop.
struct MinimumTransferRate {
    /// The time at which the credit is used up.
    private(set) var deadline: NIODeadline
    private let credit: TimeAmount
    private let leastRate: Int

    init(_ limits: ConnectionLimits, from now: NIODeadline) {
        credit = limits.transfer
        leastRate = max(limits.leastRate, 1)
        deadline = now + credit
    }

    /// Extends the deadline by a time in which nobody waited for bytes.
    mutating func pause(_ time: TimeAmount) {
        deadline = deadline + time
    }

    mutating func credit(_ bytes: Int, at now: NIODeadline) {
        let (nanoseconds, overflow) = Int64(max(bytes, 0)).multipliedReportingOverflow(by: 1_000_000_000)
        let earned = overflow ? credit : .nanoseconds(nanoseconds / Int64(leastRate))
        deadline = min(deadline + min(earned, credit), now + credit)
    }
}
