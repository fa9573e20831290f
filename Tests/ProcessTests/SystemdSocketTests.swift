import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Starting with systemd")
    struct SystemdSocketTests {
        @Test("A passed socket is served, including earlier connections, and children do not inherit its variables")
        func passed() async throws {
            try await TestDirectory.use { directory in
                let socket = try TCPSocket()
                // The connection waits in the socket's queue while nobody serves it.
                let early = try #require(KeptConnection(port: socket.port))
                let program = try SpawnedProgram(
                    .zoo, ["serve", "--workers", "2", "--port", "1", "--data", directory.data], in: directory,
                    variables: ["LISTEN_PID": "$$", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "aviary.socket"],
                    descriptors: [socket.descriptor]
                )
                try await eventually("it was announced") {
                    try Self.output(directory).contains("http://127.0.0.1:\(socket.port)/admin")
                }
                guard case .answered(200, _) = await onThread({ early.get("/login") }) else {
                    Issue.record("not answered"); return
                }
                let children = ProcessTable.children(of: program.pid)
                #expect(children.count == 3)
                for child in children {
                    let environment = try String(
                        decoding: Data(contentsOf: URL(filePath: "/proc/\(child.pid)/environ")), as: UTF8.self)
                    #expect(!environment.contains("LISTEN_"))
                }
                program.send(SIGTERM)
                #expect(await program.exitCode == 0)
                // The manager's socket remains open: new connections wait for the next start.
                #expect(KeptConnection(port: socket.port) != nil)
            }
        }

        @Test("Only the passed socket named web serves pages")
        func named() async throws {
            try await TestDirectory.use { directory in
                let (metrics, web) = (try TCPSocket(), try TCPSocket())
                let program = try SpawnedProgram(
                    .zoo, ["serve", "--workers", "1", "--data", directory.data], in: directory,
                    variables: ["LISTEN_PID": "$$", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "metrics:web"],
                    descriptors: [metrics.descriptor, web.descriptor]
                )
                try await eventually("it was announced") {
                    try Self.output(directory).contains("http://127.0.0.1:\(web.port)/admin")
                }
                let connection = try #require(KeptConnection(port: web.port))
                guard case .answered(200, _) = await onThread({ connection.get("/login") }) else {
                    Issue.record("not answered"); return
                }
                let other = try #require(KeptConnection(port: metrics.port))
                if case .answered(200, _) = await onThread({ other.get("/login") }) {
                    Issue.record("pages on the metrics' socket")
                }
                program.send(SIGTERM)
                #expect(await program.exitCode == 0)
            }
        }

        @Test(
            "An unusable socket or variable is an error with exit code 1 before anything starts",
            arguments: Bad.allCases)
        func bad(_ bad: Bad) async throws {
            try await TestDirectory.use { directory in
                let socket = try bad == .everybody ? TCPSocket(address: 0) : TCPSocket()
                let program = try SpawnedProgram(
                    .zoo, ["serve", "--workers", "1", "--data", directory.data], in: directory,
                    variables: ["LISTEN_PID": "$$"].merging(bad.variables) { _, given in given },
                    descriptors: bad == .noSocket ? [] : [socket.descriptor]
                )
                #expect(await program.exitCode == 1)
                let errors = try String(
                    decoding: Data(contentsOf: URL(filePath: directory.path("errors"))), as: UTF8.self)
                #expect(errors.contains(bad.words), "\(errors)")
                #expect(try Self.output(directory) == "")
                #expect(!FileManager.default.fileExists(atPath: directory.data + "/store.sqlite"))
            }
        }

        enum Bad: CaseIterable {
            case everybody, noSocket, count, process, names

            var variables: [String: String] {
                switch self {
                case .everybody, .noSocket: ["LISTEN_FDS": "1"]
                case .count: ["LISTEN_FDS": "one"]
                case .process: ["LISTEN_FDS": "1", "LISTEN_PID": "self"]
                case .names: ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "web:metrics"]
                }
            }

            var words: String {
                switch self {
                case .everybody: "Not started: these settings are unsafe when others can reach the server:"
                case .noSocket: "Descriptor 3, which the service manager passes, is no TCP socket that listens."
                case .count: "LISTEN_FDS does not hold"
                case .process: "LISTEN_PID does not hold"
                case .names: "LISTEN_FDNAMES does not hold"
                }
            }
        }

        @Test(
            "The service manager is notified of readiness, reloading and stopping",
            arguments: ["", "@"])
        func notified(prefix: String) async throws {
            try await TestDirectory.use { directory in
                let name = prefix + directory.path("notify")
                let manager = try NotifySocket(name)
                let program = try SpawnedProgram(
                    .zoo, ["serve", "--workers", "1", "--port", "0", "--data", directory.data], in: directory,
                    variables: ["NOTIFY_SOCKET": name]
                )
                #expect(await manager.next() == "READY=1")
                program.send(SIGHUP)
                #expect(await manager.next().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
                #expect(await manager.next() == "READY=1")
                for child in ProcessTable.children(of: program.pid) {
                    let environment = try String(
                        decoding: Data(contentsOf: URL(filePath: "/proc/\(child.pid)/environ")), as: UTF8.self)
                    #expect(!environment.contains("NOTIFY_SOCKET"))
                }
                program.send(SIGTERM)
                #expect(await manager.next() == "STOPPING=1")
                #expect(await program.exitCode == 0)
            }
        }

        @Test("SIGHUP ends a server whose terminal was closed and deploys on any other server")
        func terminal() async throws {
            try await TestDirectory.use { directory in
                var (master, slave): (CInt, CInt) = (-1, -1)
                // The terminal would stay open as long as the program or another process has this end.
                let isOpen = Spawning.alone {
                    openpty(&master, &slave, nil, nil, nil) == 0 && fcntl(master, F_SETFD, FD_CLOEXEC) == 0
                }
                try #require(isOpen)
                let program = try SpawnedProgram(
                    .zoo, ["serve", "--workers", "1", "--port", "0", "--data", directory.data], in: directory,
                    terminal: slave
                )
                close(slave)
                func log() throws -> String {
                    try String(decoding: Data(contentsOf: URL(filePath: directory.path("errors"))), as: UTF8.self)
                }
                try await eventually("it was announced") { try Self.output(directory).contains("/admin") }
                // While the terminal exists, SIGHUP is a deploy as for any other server.
                program.send(SIGHUP)
                try await eventually("it was deployed") { try log().contains("deploy finished") }
                close(master)
                program.send(SIGHUP)
                #expect(await program.exitCode == 0)
                #expect(try log().components(separatedBy: "deploy begun").count == 2)
            }
        }

        private static func output(_ directory: TestDirectory) throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: directory.path("output"))), as: UTF8.self)
        }
    }
}

/// A listening socket as a service manager opens it.
private final class TCPSocket {
    let descriptor: CInt
    let port: Int

    /// Opens a socket.
    ///
    /// - Parameter address: The IPv4 address as a number; 0 stands for every address.
    init(address: UInt32 = 0x7F00_0001) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = address.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let isBound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: name.sin_port))
    }

    deinit {
        close(descriptor)
    }
}

/// The socket that receives the messages for a service manager.
private final class NotifySocket: Sendable {
    private let descriptor: CInt

    init(_ address: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        let isAbstract = address.hasPrefix("@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
        let isBound = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        try #require(isBound)
        var patience = timeval(tv_sec: Int(Patience.bound.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next message; empty when none arrives for a long time.
    func next() async -> String {
        await onThread { [descriptor] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }
}
