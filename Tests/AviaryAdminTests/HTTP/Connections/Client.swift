import Foundation
import TestSupport

/// A client that uses its connection as no library would: it drips, stops, or closes one side.
final class Client: Sendable {
    struct NotConnected: Error {}

    /// The end of a connection.
    enum End: Equatable {
        case closed
        case reset
        /// A long silence of the server. The connection is still open.
        case silence
    }

    struct Received {
        var bytes: [UInt8] = []
        var end = End.silence

        var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The statuses of all answers, in order. The heads of the answers are plain ASCII.
        var statuses: [Int] { text.matches(of: /HTTP\/1\.1 (\d{3})\s/).compactMap { Int($0.1) } }
        var status: Int? { statuses.first }
    }

    /// The longest wait in seconds. Only a failing test waits so long.
    private static let longestWait = Int(Patience.bound / .seconds(1))

    let port: Int
    fileprivate let descriptor: Int32

    /// Connects.
    ///
    /// - Parameters:
    ///   - receiveBuffer: The number of bytes that the system buffers for a client that does not read.
    ///   - beginning: A short text that is sent at once, before a time limit can matter.
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

    /// Sends the text. Returns whether the system accepted all of it.
    @discardableResult
    func send(_ text: String) async -> Bool {
        await send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        await onThread { [descriptor] in Self.send(bytes, to: descriptor) }
    }

    /// Sends the text repeatedly, from a thread that nothing else uses, because its pace matters.
    ///
    /// - Returns: The number of times that the text could be sent.
    func drip(_ text: String, every pause: Duration, atMost count: Int) async -> Int {
        await onThread { [descriptor] in
            for sent in 0..<count {
                guard Self.send(Array(text.utf8), to: descriptor) else { return sent }
                Self.rest(pause)
            }
            return count
        }
    }

    /// Sends the text repeatedly until the server accepts no more.
    ///
    /// - Returns: `true` when the server stopped accepting.
    func dripUntilRefused(_ text: String) async -> Bool {
        let pause = Duration.milliseconds(50), count = Int(Patience.bound / pause)
        return await drip(text, every: pause, atMost: count) < count
    }

    /// Indicates whether the server has closed its side and no sent bytes are left to read.
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

    /// Sends a request with the right `Host` and the given fields.
    @discardableResult
    func get(_ path: String = "/", _ fields: String...) async -> Bool {
        await send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Ends sending. The client still reads.
    func closeOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads to the end, or until nothing has arrived for the time, in seconds.
    func receive(patience: Int = longestWait) async -> Received {
        await receive(patience: patience) { _ in false }
    }

    /// Reads one answer that states its length.
    func receiveAnswer(patience: Int = longestWait) async -> Received {
        await receive(patience: patience) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n"),
                let length = text[..<head.lowerBound].firstMatch(of: /(?i)content-length: (\d+)/).flatMap({ Int($0.1) })
            else { return false }
            return text.utf8.distance(from: head.upperBound, to: text.endIndex) >= length
        }
    }

    /// Reads at most the given number of bytes. Returns 0 when nothing arrives within the time or the connection
    /// has ended.
    func receive(atMost count: Int, patience: Int = longestWait) async -> Int {
        await onThread { [descriptor] in
            Self.wait(descriptor, patience)
            var buffer = [UInt8](repeating: 0, count: count)
            return max(readBytes(descriptor, &buffer), 0)
        }
    }

    /// Reads to the end in parts, with a pause after each, from a thread that nothing else uses, because its pace
    /// matters.
    ///
    /// - Returns: The number of bytes.
    func receive(inPartsOf size: Int, every pause: Duration) async -> Int {
        await onThread { [descriptor] in
            Self.wait(descriptor, Self.longestWait)
            var buffer = [UInt8](repeating: 0, count: size), taken = 0
            while case let count = readBytes(descriptor, &buffer), count > 0 {
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
                let count = readBytes(descriptor, &buffer)
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
    /// Makes the end of this client look like that of a program that crashed.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
