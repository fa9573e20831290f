import Foundation
import TestSupport
import Testing

/// With real processes: the program is killed at any moment of a restore.
@Suite("Snapshot: a killed restore leaves the old store or the new one")
struct SnapshotKillTests {
    private static let program =
        Bundle.main.executableURL?.resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("zoo").path ?? ""

    private func zoo(_ arguments: String...) throws {
        let result = try run(Self.program, arguments)
        try #require(result.status == 0, "\(arguments) \(result.output)")
    }

    /// Friends in the store, as another process counts them.
    private func count(in directory: String) throws -> Int {
        try contents(of: directory, onlyRecords: true).count { $0.hasPrefix("Friend ") }
    }

    @Test(
        "100 kills at random moments",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program), "The program is not built."))
    func kills() throws {
        let temporary = TemporaryDirectory()
        let small = temporary.path + "/small", large = temporary.path + "/large", live = temporary.path + "/live"
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        for (directory, count) in [(small, 300), (large, 2500)] {
            let csv = "name,birthday\n" + (0..<count).map { "Friend \($0),2000-01-01\n" }.joined()
            try Data(csv.utf8).write(to: URL(fileURLWithPath: directory + ".csv"))
            try zoo("import", "Friend", directory + ".csv", "--data", directory)
            try zoo("backup", "--data", directory, "--output", directory + ".jsonl.gz")
        }
        let start = ContinuousClock.now
        try zoo("restore", small + ".jsonl.gz", "--yes", "--data", live)
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        // How long a restore takes changes with what else the machine does: follow it, so that kills come before the end
        // and after it.
        var longest = 2 * (Double(seconds) + Double(attoseconds) / 1e18)
        var generator = SeededGenerator(seed: 11)
        var outcomes: [Int: Int] = [:]
        for round in 0..<100 {
            let snapshot = round.isMultiple(of: 2) ? large : small
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Self.program)
            process.arguments = ["restore", snapshot + ".jsonl.gz", "--yes", "--data", live]
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(Double.random(in: 0...longest, using: &generator) * 1e6))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            longest *= process.terminationReason == .uncaughtSignal ? 1.2 : 0.85
            let found = try count(in: live)
            #expect(found == 300 || found == 2500)
            #expect(try integrity(of: live) == "ok")
            outcomes[found, default: 0] += 1
        }
        #expect(outcomes.count == 2, "\(outcomes)")
        try zoo("restore", large + ".jsonl.gz", "--yes", "--data", live)
        #expect(try count(in: live) == 2500)
        let left = try FileManager.default.contentsOfDirectory(atPath: live + "/snapshots").filter { $0.hasPrefix(".") }
        #expect(left.filter { $0.hasPrefix(".working-") } == [])
        // What kills left half written, and is older than a minute, goes with the next snapshot.
        let partial = live + "/snapshots/Zoo-20260101T000000Z.jsonl.gz.00000000.partial"
        #expect(FileManager.default.createFile(atPath: partial, contents: Data("x".utf8)))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: partial)
        try zoo("backup", "--data", live)
        #expect(!FileManager.default.fileExists(atPath: partial))
    }

    @Test(
        "Killed where there is no store yet, it leaves none or the whole of it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program), "The program is not built."))
    func first() throws {
        let temporary = TemporaryDirectory()
        let source = temporary.path + "/source", csv = temporary.path + "/friends.csv",
            snapshot = temporary.path + "/source.jsonl.gz"
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        try Data(("name,birthday\n" + (0..<2500).map { "Friend \($0),2000-01-01\n" }.joined()).utf8).write(
            to: URL(fileURLWithPath: csv))
        try zoo("import", "Friend", csv, "--data", source)
        try zoo("backup", "--data", source, "--output", snapshot)
        let start = ContinuousClock.now
        try zoo("restore", snapshot, "--yes", "--data", temporary.path + "/whole")
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        var longest = 2 * (Double(seconds) + Double(attoseconds) / 1e18)
        var generator = SeededGenerator(seed: 12)
        var outcomes: [Bool: Int] = [:]
        for round in 0..<40 {
            let live = temporary.path + "/live-\(round)"
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Self.program)
            process.arguments = ["restore", snapshot, "--yes", "--data", live]
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(Double.random(in: 0...longest, using: &generator) * 1e6))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            longest *= process.terminationReason == .uncaughtSignal ? 1.2 : 0.85
            let isThere = FileManager.default.fileExists(atPath: live + "/store.sqlite")
            if isThere {
                #expect(try count(in: live) == 2500)
                #expect(try integrity(of: live) == "ok")
            } else {
                // Nothing is in the way of another try.
                try zoo("restore", snapshot, "--yes", "--data", live)
                #expect(try count(in: live) == 2500)
            }
            outcomes[isThere, default: 0] += 1
            try FileManager.default.removeItem(atPath: live)
        }
        #expect(outcomes.count == 2, "\(outcomes)")
    }

    @Test(
        "Without a terminal and without --yes nothing is restored: wrong usage",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program), "The program is not built."))
    func unconfirmed() throws {
        let temporary = TemporaryDirectory()
        let result = try run(
            "/bin/sh", ["-c", "'\(Self.program)' restore x.gz --data '\(temporary.path)' < /dev/null"])
        #expect(result.status == 2)
        #expect(result.output.contains("--yes"))
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
    }
}
