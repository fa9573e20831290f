import Foundation
import TestSupport
import Testing

@testable import AviaryData

/// Tests that run real processes and read their memory usage from the system.
@Suite(
    "Snapshot: memory use",
    .enabled(if: Explore.isOn, "It is measured, with files that take minutes to make."))
struct SnapshotMemoryTests {
    private static let program =
        Bundle.main.executableURL?.resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("zoo").path ?? ""
    private static let isThere = FileManager.default.isExecutableFile(atPath: program)
    /// The limit in KiB, in addition to the program itself.
    private static let limit = 64 * 1024

    /// Runs the program until it exits.
    ///
    /// It runs on a separate thread. On a task's thread, it would delay other tests, some of which have deadlines.
    ///
    /// - Returns: The exit status, and the largest private memory that was observed, in KiB.
    private func watch(_ arguments: [String]) async throws -> (status: Int32, memory: Int) {
        try await BlockingWork.run { try Self.watchToEnd(arguments) }
    }

    private static func watchToEnd(_ arguments: [String]) throws -> (status: Int32, memory: Int) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runAlone()
        var most = 0
        while process.isRunning {
            let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
            let found = text.firstMatch(of: /RssAnon:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
            most = max(most, found)
            usleep(5000)
        }
        return (process.terminationStatus, most)
    }

    @Test(
        "A 1 MB file that expands to 1 GB is rejected within the memory limit",
        .enabled(if: isThere, "The program is not built."))
    func bomb() async throws {
        let temporary = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        let file = temporary.path + "/bomb.gz"
        let making = try await BlockingWork.run {
            try run("/bin/sh", ["-c", "head -c 1000000000 /dev/zero | tr '\\0' ' ' | gzip -6 > '\(file)'"]).status
        }
        #expect(making == 0)
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
        #expect(size < 2_000_000)
        let (status, memory) = try await watch(["verify", file])
        #expect(status == 1)
        #expect(memory < Self.limit, "\(memory) KiB")
    }

    @Test(
        "Backup, verify and restore of 50,000 records stay within the memory limit",
        .enabled(if: isThere, "The program is not built."))
    func large() async throws {
        let temporary = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        let data = temporary.path + "/data", csv = temporary.path + "/friends.csv",
            file = temporary.path + "/backup.jsonl.gz"
        let note = String(repeating: "x", count: 200)
        try Data(("name,birthday\n" + (0..<50_000).map { "Friend \($0) \(note),2000-01-01\n" }.joined()).utf8).write(
            to: URL(fileURLWithPath: csv))
        for (command, arguments) in [
            ("import", ["Friend", csv, "--data", data]), ("backup", ["--data", data, "--output", file]),
            ("verify", [file]),
            ("restore", [file, "--yes", "--data", temporary.path + "/other"]),
            ("export", ["Friend", "--data", data, "--output", temporary.path + "/out.csv"]),
        ] {
            let (status, memory) = try await watch([command] + arguments)
            #expect(status == 0, "\(command)")
            // The store that an import opens has a cache of 64 MiB.
            #expect(memory < Self.limit * (command == "import" ? 2 : 1), "\(command): \(memory) KiB")
        }
    }
}
