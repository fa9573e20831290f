import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Blocked log output")
    struct UnreadLogTests {
        @Test("A full log pipe blocks neither pages nor restarts, traps or the shutdown")
        func fullPipe() async throws {
            try await TestDirectory.use { directory in
                let pipe = directory.path("errors")
                try #require(mkfifo(pipe, 0o600) == 0)
                // The reader has the pipe open and reads nothing.
                let reader = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
                try #require(reader >= 0)
                defer { close(reader) }
                try #require(fcntl(reader, Self.setPipeSize, 4096) >= 0)
                let server = try await Server.start(
                    .extendedZoo, in: directory, flags: ["--access-log", "--log-level", "info", "--log-format", "json"]
                )
                let browser = Browser(server)
                // The output is several times larger than the pipe's buffer: a line has more than a hundred bytes.
                for _ in 0..<200 { try #require(try await browser.get("/healthz").status == 200) }
                let family = try await server.complete()
                for worker in family.workers { worker.send(SIGKILL) }
                family.store?.send(SIGKILL)
                _ = try await server.complete(restarts: 3)
                await #expect(throws: (any Error).self) { try await browser.get("/trap") }
                _ = try await server.complete(restarts: 4)
                try await browser.addAnimal("Okapi")
                var log = ""
                try await eventually("the log tells that lines were lost") {
                    log += Self.readAll(reader)
                    try #require(try await browser.get("/healthz").status == 200)
                    return log.contains("lines of the log were lost")
                }
                #expect(await server.stop() == 0)
            }
        }

        /// The constant `F_SETPIPE_SZ`, which is not imported.
        private static let setPipeSize: CInt = 1031

        private static func readAll(_ descriptor: CInt) -> String {
            var text: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { return String(decoding: text, as: UTF8.self) }
                text += bytes.prefix(count)
            }
        }
    }
}
