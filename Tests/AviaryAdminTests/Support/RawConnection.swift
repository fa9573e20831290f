import Foundation
import TestSupport

/// A connection for raw bytes: for requests that no client would send.
enum RawConnection {
    struct Failure: Error {}

    /// Sends a request without a body and reads until the server closes.
    static func send(_ lines: [String], to port: Int) async throws -> String {
        try await send(Array((lines + ["", ""]).joined(separator: "\r\n").utf8), to: port)
    }

    /// Sends bytes and reads until the server closes.
    ///
    /// - Parameter thenEnds: Indicates whether the client closes its side after it has sent the bytes.
    static func send(_ bytes: [UInt8], to port: Int, thenEnds: Bool = false) async throws -> String {
        guard let answer = await onThread({ exchange(bytes, port: port, thenEnds: thenEnds) }) else { throw Failure() }
        return String(decoding: answer, as: UTF8.self)
    }

    private static func exchange(_ bytes: [UInt8], port: Int, thenEnds: Bool) -> [UInt8]? {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: Int(Patience.bound / .seconds(1)), tv_usec: 0)
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
        guard isConnected, write(descriptor, bytes, bytes.count) == bytes.count else { return nil }
        if thenEnds { shutdown(descriptor, Int32(SHUT_WR)) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = readBytes(descriptor, &buffer)
            // The server neither answered nor closed.
            if count < 0, errno == EAGAIN { return nil }
            guard count > 0 else { return answer }
            answer += buffer.prefix(count)
        }
    }
}
