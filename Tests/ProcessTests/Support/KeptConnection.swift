import Foundation
import Synchronization
import TestSupport

/// A connection that is kept for one request after the other. It never retries, so that failures are visible.
final class KeptConnection: Sendable {
    enum Outcome {
        case answered(status: Int, closes: Bool)
        /// Indicates that no complete answer arrived. `received` is the number of bytes of the answer.
        case failed(String, received: Int)
    }

    private let descriptor: Int32
    private let port: Int
    private let sending = Mutex((begun: ContinuousClock.now, ended: ContinuousClock.now))

    /// The moments at which the sending of the last request began and ended; at first, the one at which the connection
    /// began to be opened.
    var lastSending: (begun: ContinuousClock.Instant, ended: ContinuousClock.Instant) { sending.withLock { $0 } }

    /// Opens a connection, or returns nil when it is refused.
    init?(port: Int) {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var patience = timeval(tv_sec: Int(Patience.bound.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        close(descriptor)
    }

    func get(_ path: String, cookies: String? = nil) -> Outcome {
        let cookie = cookies.map { "Cookie: \($0)\r\n" } ?? ""
        return ask("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(cookie)\r\n")
    }

    func post(_ path: String, _ form: Form, cookies: String) -> Outcome {
        let body = form.encoded
        return ask(
            """
            POST \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Cookie: \(cookies)\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """)
    }

    /// Waits until the server closes the connection, and discards what it sends before.
    ///
    /// - Returns: `false` when the server did not close the connection for a long time.
    func isClosed() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = readBytes(descriptor, &buffer)
            if count == 0 || count < 0 && errno == ECONNRESET { return true }
            if count < 0 { return false }
        }
    }

    private func ask(_ request: String) -> Outcome {
        let request = Array(request.utf8), begun = ContinuousClock.now
        let count = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
        guard count == request.count else { return failure("not sent", 0) }
        sending.withLock { $0 = (begun, .now) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = readBytes(descriptor, &buffer)
            guard count > 0 else { return failure(count == 0 ? "closed" : "not read", answer.count) }
            answer += buffer.prefix(count)
            guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
            guard let length = head.firstMatch(of: /content-length: (\d+)/).flatMap({ Int($0.1) }),
                let status = head.firstMatch(of: /^http\/1\.1 (\d+)/).flatMap({ Int($0.1) })
            else { return .failed("an answer without length or status: \(head)", received: answer.count) }
            if answer.count - end.upperBound >= length {
                return .answered(status: status, closes: head.contains("connection: close"))
            }
        }
    }

    private func failure(_ what: String, _ received: Int) -> Outcome {
        .failed("\(what) after \(received) bytes: \(String(cString: strerror(errno)))", received: received)
    }
}
