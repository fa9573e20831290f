import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Serving with few file descriptors")
    struct ConnectionDescriptorTests {
        @Test("A server with 64 descriptors answers readers beside 200 silent connections")
        func few() async throws {
            try await TestDirectory.use { directory in
                let server = try await Limited.start(descriptors: 64, in: directory)
                try await expectServed(server.port)
                #expect(try !server.errors().contains("error"))
                server.stop()
            }
        }

        @Test("A server whose descriptor limit is lowered while it runs keeps its processes and answers readers")
        func taken() async throws {
            try await Server.use { server in
                let before = try await server.complete()
                for worker in before.workers {
                    try DescriptorLimit.set("32:32", of: worker.pid)
                }
                try await expectServed(server.port)
                let after = try await server.complete(restarts: before.restarts)
                let log = try server.errors()
                #expect(after == before, "\(log)")
            }
        }

        private func expectServed(_ port: Int) async throws {
            do {
                let silent = (0..<200).compactMap { _ in KeptConnection(port: port) }
                #expect(silent.count == 200)
                // While they are open, each of several readers finds a place.
                for _ in 0..<3 { #expect(try await isAnswered(port)) }
                withExtendedLifetime(silent) {}
            }
            // Now they are closed.
            #expect(try await isAnswered(port))
        }

        private func isAnswered(_ port: Int) async throws -> Bool {
            await onThread {
                guard let connection = KeptConnection(port: port), case .answered(200, _) = connection.get("/login")
                else { return false }
                return true
            }
        }
    }
}

/// The limit of the number of a process's descriptors.
enum DescriptorLimit {
    /// Sets the limit. The process keeps the descriptors that it has.
    ///
    /// - Parameter limit: The soft and the hard limit, as in `prlimit --nofile`: `32:32`, or `4:` for the soft one.
    static func set(_ limit: String, of pid: pid_t) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(pid)", "--nofile=\(limit)"]
        try process.runAlone()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

/// A server whose processes have few descriptors.
private struct Limited {
    let port: Int
    private let process: Process
    private let directory: TestDirectory

    static func start(descriptors: Int, in directory: TestDirectory) async throws -> Limited {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", try Program.zoo.executable().path,
            "serve", "--workers", "2", "--port", "0", "--data", directory.data,
        ]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AVIARY_") }
        process.standardInput = FileHandle.nullDevice
        for name in ["output", "errors"] { try Data().write(to: URL(filePath: directory.path(name))) }
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: directory.path("output")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: directory.path("errors")))
        try process.runAlone()
        var port: Int?
        try await eventually("the server told its address") {
            let output = String(decoding: try Data(contentsOf: URL(filePath: directory.path("output"))), as: UTF8.self)
            port = output.firstMatch(of: /127\.0\.0\.1:(\d+)\/admin/).flatMap { Int($0.1) }
            return port != nil
        }
        guard let port else { throw NeverHappened("there is a port") }
        return Limited(port: port, process: process, directory: directory)
    }

    func errors() throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: directory.path("errors"))), as: UTF8.self)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
