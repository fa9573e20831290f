import Foundation
import TestSupport
import Testing

@testable import AviaryCommands

@Suite("Snapshots from standard input", .timeLimit(.minutes(Patience.minutes)))
struct StandardInputTests {
    private let directory: TestDirectory
    private var snapshot: String { directory.path("zoo.jsonl.gz") }

    init() throws {
        directory = try TestDirectory()
    }

    /// Stores three animals and writes their snapshot.
    private func fill() async throws {
        let file = try directory.file("a.csv", Array("name\nEmu\nKiwi\nRhea\n".utf8))
        for arguments in [["import", "Animal", file], ["backup", "--output", snapshot]] {
            let run = try await Program.run(arguments + ["--data", directory.path("data")])
            try #require(run.exitCode == 0, "\(run.errors)")
        }
    }

    /// Passes the snapshot to the command through a pipe.
    private func piped(_ command: String, data: String) async throws -> (code: Int32?, errors: String) {
        let shell = Process(), errors = directory.path("errors")
        shell.executableURL = URL(filePath: "/bin/sh")
        let script = "cat \"$1\" | \"$0\" \(command) --data \"$2\" 2> \"$3\""
        shell.arguments = ["-c", script, try Program.executable().path, snapshot, data, errors]
        shell.standardOutput = FileHandle.nullDevice
        let (exits, continuation) = AsyncStream.makeStream(of: Int32.self)
        shell.terminationHandler = { continuation.yield($0.terminationStatus) }
        try shell.runAlone()
        let code = await exits.first { _ in true }
        return (code, try String(contentsOf: URL(filePath: errors), encoding: .utf8))
    }

    @Test(
        "A valid snapshot from a pipe is verified",
        arguments: ["verify -", "verify /dev/stdin --json", "verify --prove -"])
    func verify(command: String) async throws {
        try await fill()
        let (code, text) = try await piped(command, data: directory.path("elsewhere"))
        #expect(code == 0, "\(text)")
        #expect(text.contains(" is good") && text.contains("3 animals"), "\(text)")
        #expect(text.contains("passed the restore test") == command.contains("--prove"))
        #expect(!FileManager.default.fileExists(atPath: directory.path("elsewhere")))
    }

    @Test("With --yes, a snapshot from a pipe is restored into a new or an existing store")
    func restore() async throws {
        try await fill()
        for data in ["elsewhere", "data"] {
            let (code, text) = try await piped("restore - --yes", data: directory.path(data))
            #expect(code == 0 && text.contains("Restored 3 animals"), "\(text)")
            let export = try await Program.run(["export", "Animal", "--data", directory.path(data)])
            #expect(export.output.split(separator: "\r\n").count == 4, "\(export.output)")
        }
        let (code, text) = try await piped("restore -", data: directory.path("data"))
        #expect(code == 2 && text.contains("--yes"), "\(text)")
    }
}
