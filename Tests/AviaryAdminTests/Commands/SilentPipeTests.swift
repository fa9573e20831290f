import Foundation
import TestSupport
import Testing

@testable import AviaryCommands

@Suite("Pipes that deliver no data", .timeLimit(.minutes(Patience.minutes)))
struct SilentPipeTests {
    @Test(
        "A command says that it waits for the pipe, also without a terminal",
        arguments: [
            "verify /dev/fd/0", "restore --yes /dev/fd/0", "verify -", "restore --yes -",
        ])
    func reported(command: String) async throws {
        let (code, text) = try await run(command)
        #expect(code == 1)
        #expect(text.hasPrefix("Waiting for the backup from the pipe…\n"))
        #expect(text.contains("not a gzip file"), "\(text)")
    }

    @Test("An import says that it waits for the pipe")
    func reportedForImport() async throws {
        let (code, text) = try await run("import Animal -")
        #expect(code == 1)
        #expect(text.hasPrefix("Waiting for the records from the pipe…\n"), "\(text)")
    }

    /// A shell script that writes nothing, and ends once the command has printed something; after minutes in any
    /// case.
    private static let patient =
        "i=0; while [ ! -s \"$2\" ] && [ $i -lt 3600 ]; do sleep 0.05; i=$((i+1)); done"

    private func run(_ command: String) async throws -> (code: Int32?, errors: String) {
        let directory = try TestDirectory()
        let shell = Process(), errors = directory.path("errors")
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = [
            "-c", "{ \(Self.patient); } | \"$0\" \(command) --data \"$1\" 2> \"$2\"", try Program.executable().path,
            directory.path("data"), errors,
        ]
        let (exits, continuation) = AsyncStream.makeStream(of: Int32.self)
        shell.terminationHandler = { continuation.yield($0.terminationStatus) }
        try shell.runAlone()
        let code = await exits.first { _ in true }
        let text = try String(contentsOf: URL(filePath: errors), encoding: .utf8)
        return (code, text)
    }
}
