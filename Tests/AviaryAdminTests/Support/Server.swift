import Foundation
import Testing

@testable import AviaryHTTP

/// A server for tests: the real program, on a free loopback port and a data directory of its own.
final class Server: Sendable {
    struct NotStarted: Error {
        let errors: String
    }

    /// The server of the current suite; see `ServerTrait`.
    @TaskLocal static var current: Server?

    static var shared: Server {
        get throws { try #require(current, "The suite has no server: give it the trait .server.") }
    }

    let program: RunningProgram
    let directory: TestDirectory
    let port: Int
    /// The name of the session cookie.
    let sessionCookie: String

    var address: String { "http://127.0.0.1:\(port)" }
    var data: String { directory.path("data") }

    private init(program: RunningProgram, directory: TestDirectory, port: Int, publicURL: String?) {
        let scheme = publicURL.flatMap { URL(string: $0) }
        sessionCookie =
            scheme?.scheme == "https" ? "__Host-session" : "session-\(scheme?.port ?? (scheme == nil ? port : 80))"
        self.program = program
        self.directory = directory
        self.port = port
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - directory: The directory of its data; nil for a new one. A server that is started again uses its old
    ///     one.
    ///   - port: The port; 0 for a free one. A server that is started again uses its old one.
    ///   - flags: Further flags of `serve`.
    ///   - environment: Variables in addition to those of every test.
    static func start(
        in directory: TestDirectory? = nil, port: Int = 0, flags: [String] = [], environment: [String: String] = [:]
    ) async throws -> Server {
        let directory = try directory ?? TestDirectory()
        let errors = directory.path("stderr")
        let program = try RunningProgram(
            ["serve", "--in-process", "--port", "\(port)", "--data", directory.path("data")] + flags,
            environment: environment,
            errors: errors
        )
        let line = await program.firstLine()
        guard let match = line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)(\/admin)?$/), let port = Int(match.1) else {
            program.send(SIGKILL)
            throw NotStarted(
                errors: line + String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self))
        }
        let publicURL = flags.firstIndex(of: "--public-url").map { flags[$0 + 1] } ?? environment["AVIARY_PUBLIC_URL"]
        return Server(program: program, directory: directory, port: port, publicURL: publicURL)
    }

    @discardableResult
    func stop() async -> Int32 {
        program.send(SIGTERM)
        return await program.exitCode
    }

    func kill() async {
        program.send(SIGKILL)
        _ = await program.exitCode
    }

    /// Returns the server's log.
    func errors() throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: directory.path("stderr"))), as: UTF8.self)
    }
}

/// A trait that gives all tests of a suite one server.
///
/// The tests avoid conflicts by the names that they give to records.
struct ServerTrait: SuiteTrait, TestScoping {
    var flags: [String] = []

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = try await Server.start(flags: flags)
        do {
            try await Server.$current.withValue(server) { try await function() }
        } catch {
            await server.kill()
            throw error
        }
        await server.kill()
    }
}

extension Trait where Self == ServerTrait {
    static var server: Self { Self() }
    static func server(_ flags: String...) -> Self { Self(flags: flags) }
}
