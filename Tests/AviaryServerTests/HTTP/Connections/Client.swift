import Foundation
import TestSupport

/// A client that does with its connection what no library would: drips, stops, closes one side.
final class Client: Sendable {
    struct NotConnected: Error {}

    /// How a connection came to its end.
    enum End: Equatable {
        case closed
        case reset
        /// Nothing came for long; it is still open.
        case silence
    }

    struct Received {
        var bytes: [UInt8] = []
        var end = End.silence

        var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The status of every answer, in order; answers have plain ASCII heads.
        var statuses: [Int] { text.matches(of: /HTTP\/1\.1 (\d{3})\s/).compactMap { Int($0.1) } }
        var status: Int? { statuses.first }
    }

    /// In seconds; only a test that fails waits so long.
    private static let longestWait = Int(Patience.bound / .seconds(1))

    let port: Int
    fileprivate let descriptor: Int32

    /// - Parameters:
    ///   - receiveBuffer: how much the system takes for a client that does not read, in bytes.
    ///   - beginning: a short text that is sent at once, before a limit for the time until then can matter.
    init(port: Int, receiveBuffer: Int32? = nil, sending beginning: String = "") throws {
        self.port = port
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard connection >= 0, isConnected, Self.send(Array(beginning.utf8), to: connection) else {
            close(connection)
            throw NotConnected()
        }
        descriptor = connection
    }

    deinit {
        close(descriptor)
    }

    /// Whether the system took everything.
    @discardableResult
    func send(_ text: String) async -> Bool {
        await send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        await onThread { [descriptor] in Self.send(bytes, to: descriptor) }
    }

    /// Sends the text so often, from a thread that nobody else uses: its pace counts.
    ///
    /// - Returns: how often the text could be sent.
    func drip(_ text: String, every pause: Duration, atMost count: Int) async -> Int {
        await onThread { [descriptor] in
            for sent in 0..<count {
                guard Self.send(Array(text.utf8), to: descriptor) else { return sent }
                Self.rest(pause)
            }
            return count
        }
    }

    /// Sends the text again and again until the server takes no more.
    ///
    /// - Returns: whether that came.
    func dripUntilRefused(_ text: String) async -> Bool {
        let pause = Duration.milliseconds(50), count = Int(Patience.bound / pause)
        return await drip(text, every: pause, atMost: count) < count
    }

    /// Whether the server has closed its side, and nothing that it sent is left to read.
    var isClosed: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func rest(_ pause: Duration) { usleep(UInt32(pause / .microseconds(1))) }

    /// A request with the right `Host`, and what else is given.
    @discardableResult
    func get(_ path: String = "/", _ fields: String...) async -> Bool {
        await send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Sends no more. What comes is still read.
    func closeOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads to the end, or until nothing has come for the time, in seconds.
    func receive(patience: Int = longestWait) async -> Received {
        await receive(patience: patience) { _ in false }
    }

    /// Reads one answer that tells its length.
    func receiveAnswer(patience: Int = longestWait) async -> Received {
        await receive(patience: patience) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n"),
                let length = text[..<head.lowerBound].firstMatch(of: /(?i)content-length: (\d+)/).flatMap({ Int($0.1) })
            else { return false }
            return text.utf8.distance(from: head.upperBound, to: text.endIndex) >= length
        }
    }

    /// Reads at most so many bytes; none when nothing has come for the time or the connection has ended.
    func receive(atMost count: Int, patience: Int = longestWait) async -> Int {
        await onThread { [descriptor] in
            Self.wait(descriptor, patience)
            var buffer = [UInt8](repeating: 0, count: count)
            return max(read(descriptor, &buffer, count), 0)
        }
    }

    /// Reads to the end in parts, with a pause after each, from a thread that nobody else uses: its pace counts.
    ///
    /// - Returns: how many bytes there were.
    func receive(inPartsOf size: Int, every pause: Duration) async -> Int {
        await onThread { [descriptor] in
            Self.wait(descriptor, Self.longestWait)
            var buffer = [UInt8](repeating: 0, count: size), taken = 0
            while case let count = read(descriptor, &buffer, size), count > 0 {
                taken += count
                Self.rest(pause)
            }
            return taken
        }
    }

    private func receive(patience: Int, until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async -> Received {
        await onThread { [descriptor] in
            Self.wait(descriptor, patience)
            var received = Received()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else {
                    received.end = count == 0 ? .closed : errno == EAGAIN ? .silence : .reset
                    return received
                }
                received.bytes += buffer.prefix(count)
                if isEnough(received.bytes) { return received }
            }
        }
    }

    private static func wait(_ descriptor: Int32, _ seconds: Int) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
}

extension Client {
    /// Lets the end of this client look like that of a program that crashed.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
