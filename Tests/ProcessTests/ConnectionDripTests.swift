import Foundation
import Synchronization
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Slow clients")
    struct ConnectionDripTests {
        @Test("A hundred slow connections do not keep other clients from being answered")
        func others() async throws {
            try await Server.use { server in
                _ = try await server.complete()
                let drip = Drip(port: server.port, connections: 100)
                drip.begin()
                defer { drip.end() }
                #expect(drip.open == 100)
                try await eventually("each dripping connection has sent something") { drip.rounds >= 2 }
                let latencies = try await latencies(server.port, requests: 50)
                #expect(latencies.count == 4 * 50)
            }
        }

        /// The largest allowed ratio. It is generous, because waiting for a client that drips takes seconds.
        private static let ratio = 10.0
        /// The smallest latency in seconds that counts. Below it, the test would measure the machine's load.
        private static let least = 0.01

        @Test(
            "Slow connections do not raise the 99th percentile of other clients' latency",
            .enabled(if: Explore.isOn, "It compares times, which a busy machine changes; AVIARY_EXPLORE=1 runs it."))
        func percentile() async throws {
            try await Server.use { server in
                _ = try await server.complete()
                _ = try await latencies(server.port, requests: 100)
                let alone = try await latencies(server.port, requests: 500).percentile99
                let drip = Drip(port: server.port, connections: 100)
                drip.begin()
                defer { drip.end() }
                let beside = try await latencies(server.port, requests: 500).percentile99
                #expect(drip.open == 100)
                #expect(
                    beside < max(alone, Self.least) * Self.ratio,
                    "99th percentile: \(alone) s alone, \(beside) s beside")
            }
        }

        /// Returns the latencies in seconds of the requests on each of four connections.
        private func latencies(_ port: Int, requests: Int) async throws -> [Double] {
            let all = await withTaskGroup(of: [Double].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        await onThread {
                            guard let connection = KeptConnection(port: port) else { return [] }
                            return (0..<requests).compactMap { _ in
                                let begin = ContinuousClock.now
                                guard case .answered(200, _) = connection.get("/login") else { return nil }
                                return (ContinuousClock.now - begin) / .seconds(1)
                            }
                        }
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            try #require(all.count == 4 * requests)
            return all
        }
    }
}

extension [Double] {
    fileprivate var percentile99: Double { sorted()[count * 99 / 100] }
}

/// A set of connections that each send a byte now and then.
private final class Drip: Sendable {
    private let descriptors: [Int32]
    private let flag = Flag()
    private let sent = Mutex(0)

    init(port: Int, connections: Int) {
        let host = "Host: 127.0.0.1:\(port)\r\n"
        let starts = [
            "GET /admin HTTP/1.1\r\n\(host)X: ",
            "POST /admin/animals HTTP/1.1\r\n\(host)Content-Length: 100000\r\n\r\n",
            // These clients do not read: the answers fill their windows.
            String(repeating: "GET /admin/animals HTTP/1.1\r\n\(host)\r\n", count: 50) + "GET /",
        ]
        descriptors = (0..<connections).compactMap { index in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            let start = Array(starts[index % starts.count].utf8)
            guard isConnected, send(descriptor, start, start.count, Int32(MSG_NOSIGNAL)) == start.count else {
                close(descriptor)
                return nil
            }
            return descriptor
        }
    }

    var open: Int { descriptors.count }
    /// The number of rounds in which all connections got a byte.
    var rounds: Int { sent.withLock { $0 } }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    func begin() {
        // The thread keeps this object alive, so that no descriptor is closed before the last byte is sent.
        Thread.detachNewThread { [self] in
            while !flag.isRaised {
                // Connections that the server has ended in time fail, as they should.
                for descriptor in descriptors {
                    _ = send(descriptor, "a", 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
                sent.withLock { $0 += 1 }
                usleep(20_000)
            }
        }
    }

    func end() {
        flag.raise()
    }
}
