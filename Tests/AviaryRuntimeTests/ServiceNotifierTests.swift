import Foundation
import Logging
import TestSupport
import Testing

@testable import AviaryRuntime

@Suite("Service manager notifications")
struct ServiceNotifierTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("Each state is one datagram, to a path or to an abstract address", arguments: [false, true])
    func states(isAbstract: Bool) throws {
        let name = isAbstract ? "@aviary-\(UUID().uuidString)" : "/tmp/aviary-\(UUID().uuidString)"
        let manager = try DatagramSocket(name)
        let notifier = ServiceNotifier(address: name)
        notifier.notify(.ready, logger)
        #expect(manager.receive() == "READY=1")
        var before = timespec()
        clock_gettime(CLOCK_MONOTONIC, &before)
        notifier.notify(.reloading, logger)
        let reloading = manager.receive().split(separator: "\n")
        #expect(reloading.first == "RELOADING=1")
        let time = try #require(reloading.last?.split(separator: "=").last.flatMap { Int64($0) })
        #expect(reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect(time >= Int64(before.tv_sec) * 1_000_000 + Int64(before.tv_nsec) / 1000)
        notifier.notify(.stopping, logger)
        #expect(manager.receive() == "STOPPING=1")
    }

    @Test(
        "A missing, invalid or unreachable address is ignored",
        arguments: [nil, "", "/nowhere/socket", "relative"])
    func nobody(address: String?) {
        ServiceNotifier(address: address).notify(.ready, logger)
    }
}

/// The service manager's end of the socket.
private final class DatagramSocket {
    private let descriptor: CInt
    private let path: String?

    init(_ address: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        path = address.hasPrefix("/") ? address : nil
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        if path == nil { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count + (path == nil ? 0 : 1))
        let descriptor = descriptor
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(result == 0)
        var patience = timeval(tv_sec: Int(Patience.bound / .seconds(1)), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    func receive() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
