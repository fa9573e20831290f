import Foundation
import Synchronization
import TestSupport
import Testing

/// A running server: supervisor, store process and two web workers.
struct Server: Sendable {
    struct NotStarted: Error {
        let errors: String
    }

    let program: RunningProgram
    let directory: TestDirectory
    let port: Int

    var address: String { "http://127.0.0.1:\(port)" }
    var supervisor: pid_t { program.processID }

    /// Runs the body with a server on a new directory.
    ///
    /// When the body ends, no process is left, even after an error.
    static func use(_ program: Program = .zoo, _ body: (Server) async throws -> Void) async throws {
        try await TestDirectory.use { directory in try await body(try await start(program, in: directory)) }
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - workers: The number of workers. ``complete(restarts:)`` waits for two.
    ///   - port: The port; 0 for a free one. A server that is started again uses its old one.
    ///   - path: The path of a copy of the program that is to be replaced.
    static func start(
        _ program: Program = .zoo, in directory: TestDirectory, workers: Int = 2, port: Int = 0, flags: [String] = [],
        environment: [String: String] = [:], installedAt path: String? = nil
    ) async throws -> Server {
        let errors = directory.path("errors")
        let program = try RunningProgram(
            program, ["serve", "--workers", "\(workers)", "--port", "\(port)", "--data", directory.data] + flags,
            in: directory, errors: errors, environment: environment, installedAt: path
        )
        let watch = program.killIfLate(in: directory)
        let line = await program.firstLine()
        watch.cancel()
        guard let match = line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/admin$/), let port = Int(match.1) else {
            program.send(SIGKILL)
            throw NotStarted(
                errors: line + String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self))
        }
        return Server(program: program, directory: directory, port: port)
    }

    /// Ends the server as a service manager does, and returns the exit code.
    @discardableResult
    func stop() async -> Int32 {
        program.send(SIGTERM)
        return await program.exitCode
    }

    /// Runs a command on the server's directory.
    func run(_ arguments: String...) async throws -> Program.Run {
        try await run(arguments)
    }

    func run(_ arguments: [String]) async throws -> Program.Run {
        try await Program.zoo.run(arguments + ["--data", directory.data], in: directory)
    }

    /// Runs `status`, again if the store did not answer it in time.
    ///
    /// The command waits for a second, which may be too short on a busy machine.
    func status(_ arguments: String...) async throws -> Program.Run {
        struct Report: Decodable {
            struct Store: Decodable { let answers: Bool }

            let store: Store?
        }

        var last: Program.Run?
        try await eventually("the store answered the status command") {
            let run = try await self.run(["status"] + arguments)
            last = run
            guard arguments.contains("--json") else { return !run.output.contains("does not answer") }
            return try run.json(Report.self).store?.answers == true
        }
        return try #require(last)
    }

    /// The processes of the server that exist now.
    var processes: [ProcessEntry] { ProcessTable.mentioning(directory.data) }

    /// Returns the server's log.
    func errors() throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: directory.path("errors"))), as: UTF8.self)
    }
}

/// The ports that the system does not assign by itself.
///
/// A server that is ended and started again on such a port finds it free, because each port is assigned to one test.
enum FixedPort {
    /// The number of ports that were assigned or are in use.
    private static let passed = Mutex(0)

    static func next() throws -> Int {
        let text = try String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let lowest = try #require(text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) })
        let range = 10_000..<max(10_001, lowest)
        // Another run of the tests begins at another port.
        let first = Int(getpid()) * 7 % range.count
        let port = passed.withLock { passed -> Int? in
            while passed < range.count {
                let port = range.lowerBound + (first + passed) % range.count
                passed += 1
                if isFree(port) { return port }
            }
            return nil
        }
        return try #require(port, "There is no free port.")
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
