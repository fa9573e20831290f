import Foundation
import NIOCore
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Memory bounds of a worker")
    struct MemoryBoundTests {
        /// The allowed growth of the worker's memory, in KiB.
        private static let bound = 128 << 10

        @Test("A thousand incomplete anonymous forms take at most 128 MiB, and a page is served meanwhile")
        func strangers() async throws {
            try await Self.use { server, worker in
                let length = 16 << 10
                let head = """
                    POST /login HTTP/1.1\r
                    Host: 127.0.0.1:\(server.port)\r
                    Content-Type: application/x-www-form-urlencoded\r
                    Content-Length: \(length)\r
                    \r

                    """
                let before = try #require(ProcessTable.highestMemory(of: worker))
                let strangers = try Strangers(
                    1000, of: server, sending: head + String(repeating: "a", count: length - 1))
                defer { strangers.end() }
                try await strangers.areConnected()
                #expect(try await Browser(server, isStranger: true).get("/login").status == 200)
                let most = try #require(ProcessTable.highestMemory(of: worker))
                #expect(most - before <= Self.bound, "\(before) KiB before, \(most) KiB at most")
            }
        }

        @Test("32 concurrent forms of 2 MiB from one account take at most 128 MiB, and the account can save later")
        func account() async throws {
            try await Self.use { server, worker in
                let browser = Browser(server)
                // The body contains only letters and digits, so that nothing in it needs escaping.
                let start = "csrf=\(try await browser.token())&name="
                let body = ByteBuffer(string: start + String(repeating: "a", count: (2 << 20) - start.utf8.count))
                let before = try #require(ProcessTable.highestMemory(of: worker))
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<32 {
                        group.addTask {
                            try await browser.send(
                                "POST", "/admin/animals",
                                headers: ["Content-Type": "application/x-www-form-urlencoded"], body: body
                            ).status
                        }
                    }
                    for try await status in group { #expect((400..<500).contains(status) || status == 503) }
                }
                let most = try #require(ProcessTable.highestMemory(of: worker))
                #expect(most - before <= Self.bound, "\(before) KiB before, \(most) KiB at most")
                try await browser.addAnimal("Afterwards")
            }
        }

        /// Runs a server with one worker, which has served a page.
        private static func use(_ body: (Server, pid_t) async throws -> Void) async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory, workers: 1)
                #expect(try await Browser(server).get("/admin/animals").status == 200)
                var worker: pid_t?
                try await eventually("the worker is ready") {
                    worker = server.family?.workers.first { $0.isReady }?.pid
                    return worker != nil
                }
                try await body(server, try #require(worker))
            }
        }
    }
}

/// A process that holds many connections. So many open files would endanger a process that starts others.
private struct Strangers {
    private let process = Process()
    private let output: String

    /// Opens the connections.
    ///
    /// - Parameter request: The incomplete request that each connection sends.
    init(_ count: Int, of server: Server, sending request: String) throws {
        let directory = server.directory
        let script = directory.path("strangers.sh")
        let sent = directory.path("strangers-request")
        output = directory.path("strangers-output")
        try Data(request.utf8).write(to: URL(filePath: sent))
        try Data().write(to: URL(filePath: output))
        // All connections send at the same time. A stopped process keeps its connections and does nothing.
        let lines = """
            trap '' PIPE
            ulimit -n "$(ulimit -Hn)"
            request=$(cat "$1")
            connections=()
            for ((i = 0; i < $3; i++)); do
                exec {connection}<>"/dev/tcp/127.0.0.1/$2" || exit 1
                connections+=("$connection")
            done
            for connection in "${connections[@]}"; do printf '%s' "$request" >&"$connection"; done
            echo connected
            kill -STOP $$

            """
        try Data(lines.utf8).write(to: URL(filePath: script))
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", script, sent, "\(server.port)", "\(count)"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardError = FileHandle.nullDevice
        try process.runAlone()
    }

    /// Waits until all connections have sent their requests.
    func areConnected() async throws {
        try await eventually("all strangers are connected") {
            guard process.isRunning else { throw NeverHappened("all strangers are connected") }
            return try String(contentsOfFile: output, encoding: .utf8) == "connected\n"
        }
    }

    func end() {
        kill(process.processIdentifier, SIGKILL)
    }
}
