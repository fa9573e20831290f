import Foundation
import Testing

/// Ports that the system gives to nobody by itself: who ends a server and starts it again on such a port finds it free.
enum FixedPort {
    static func next() throws -> Int {
        let text = try String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let lowest = try #require(text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) })
        let range = 10_000..<max(10_001, lowest)
        // Another run of the tests begins elsewhere.
        let first = Int(getpid()) * 7 % range.count
        let ports = (0..<range.count).lazy.map { range.lowerBound + (first + $0) % range.count }
        return try #require(ports.first(where: isFree), "There is no free port.")
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
