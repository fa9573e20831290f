import Foundation
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

    /// A server on a new directory. When the body ends, however it ends, no process is left.
    static func use(_ program: Program = .zoo, _ body: (Server) async throws -> Void) async throws {
        try await TestDirectory.use { directory in try await body(try await start(program, in: directory)) }
    }

    /// - Parameters:
    ///   - workers: what a test waits for with ``complete(restarts:)`` has two.
    ///   - port: a free one unless a server is started again.
    ///   - path: of a copy of the program that is to be replaced.
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

    /// Ends it as a service manager does, and tells the exit code.
    @discardableResult
    func stop() async -> Int32 {
        program.send(SIGTERM)
        return await program.exitCode
    }

    /// Runs a command on its directory.
    func run(_ arguments: String...) async throws -> Program.Run {
        try await run(arguments)
    }

    func run(_ arguments: [String]) async throws -> Program.Run {
        try await Program.zoo.run(arguments + ["--data", directory.data], in: directory)
    }

    /// Every process of it that there is now.
    var processes: [ProcessEntry] { ProcessTable.mentioning(directory.data) }

    /// What it has logged.
    func errors() throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: directory.path("errors"))), as: UTF8.self)
    }
}
