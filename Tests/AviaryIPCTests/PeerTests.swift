import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Peer credentials")
struct PeerTests {
    /// Indicates whether the test can start a process of another user. Only root can.
    private static let canBeAnother =
        geteuid() == 0
        && ["/usr/bin/setpriv", "/usr/bin/curl"].allSatisfy(FileManager.default.isExecutableFile)

    @Test(
        "A process of another user is disconnected without an answer, whatever the socket permissions",
        .enabled(if: canBeAnother, "Needs root, setpriv and curl."))
    func anotherUser() async throws {
        try await TestSocket.use { socket in
            let lines = LogLines(), store = FakeStore()
            try await socket.serving(store, logger: .recording(into: lines)) { _ in
                chmod(socket.path, 0o777)
                // This client of the same user does not know the protocol, and receives the reason.
                let own = try await run([
                    "/usr/bin/curl", "--http0.9", "-s", "--unix-socket", socket.path, "http://store/",
                ])
                #expect(own.contains("larger than"))
                let other = try await run(
                    [
                        "/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/curl", "--http0.9", "-s",
                        "--unix-socket", socket.path, "http://store/",
                    ]
                )
                #expect(other == "")
                try await eventually("the refusal is logged") {
                    lines.all.contains { $0.contains("a connection of another user was refused") }
                }
                _ = try await socket.client().submit(.sample())
            }
            #expect(store.received == 1)
        }
    }

    private func run(_ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: arguments[0])
        process.arguments = Array(arguments.dropFirst())
        process.standardError = FileHandle.nullDevice
        let output = try process.runAloneWithOutput()
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = output.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
