import Foundation
import TestSupport
import Testing

@testable import AviaryData

/// Tests that run real processes and kill the program at any moment of a restore.
@Suite("Snapshot: killed restores", .onlySQLite("the programs that this suite ends"))
struct SnapshotKillTests {
    private static let program =
        Bundle.main.executableURL?.resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("zoo").path ?? ""

    private func zoo(_ arguments: String...) throws {
        let result = try run(Self.program, arguments)
        try #require(result.status == 0, "\(arguments) \(result.output)")
    }

    /// Returns the number of friends in the store, as another process counts them.
    private func count(in directory: String) throws -> Int {
        try contents(of: directory, onlyRecords: true).count { $0.hasPrefix("Friend ") }
    }

    private func makeSnapshot(of count: Int, _ path: String) throws {
        let csv = "name,birthday\n" + (0..<count).map { "Friend \($0),2000-01-01\n" }.joined()
        try Data(csv.utf8).write(to: URL(fileURLWithPath: path + ".csv"))
        try zoo("import", "Friend", path + ".csv", "--data", path)
        try zoo("backup", "--data", path, "--output", path + ".jsonl.gz")
    }

    /// Restores the snapshot, and kills the process at the given moment unless it has exited before.
    ///
    /// - Returns: `true` if the process was killed.
    private func killedRestore(
        of snapshot: String, into live: String, at moment: (Process) throws -> Void
    ) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["restore", snapshot, "--yes", "--data", live]
        process.standardError = FileHandle.nullDevice
        try process.runAlone()
        let waited = Result { try moment(process) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try waited.get()
        return process.terminationReason == .uncaughtSignal
    }

    /// The steps of a restore that are visible in its directory, in order. A restore that is faster than the test
    /// has ended.
    private enum Step: CaseIterable {
        case begun, building, built, keepingReplaced, replacing, ended

        func wait(for process: Process, in live: String) throws {
            try blockUntil("the restore has come to \(self)") { !process.isRunning || hasCome(in: live) }
        }

        private func hasCome(in live: String) -> Bool {
            // The directories do not exist at the start.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: live + "/snapshots")) ?? []
            let working = names.first { $0.hasPrefix(".working-") }
            switch self {
            case .begun: return true
            case .building: return working != nil
            case .built:
                let files =
                    (try? FileManager.default.contentsOfDirectory(atPath: live + "/snapshots/" + (working ?? "-")))
                    ?? []
                return !files.isEmpty
            case .keepingReplaced: return names.contains { $0.hasSuffix(".partial") }
            case .replacing: return names.contains { $0.hasSuffix("-before-restore.jsonl.gz") }
            case .ended: return false
            }
        }
    }

    @Test(
        "A restore killed at any step leaves the old or the new records, and the next restore succeeds",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program), "The program is not built."))
    func steps() async throws {
        try await BlockingWork.run { try killAtEachStep() }
    }

    private func killAtEachStep() throws {
        let temporary = TemporaryDirectory()
        let small = temporary.path + "/small", large = temporary.path + "/large", live = temporary.path + "/live"
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        try makeSnapshot(of: 100, small)
        try makeSnapshot(of: 600, large)
        try zoo("restore", small + ".jsonl.gz", "--yes", "--data", live)
        for step in Step.allCases {
            let old = try count(in: live), snapshot = old == 100 ? large : small
            for name in try FileManager.default.contentsOfDirectory(atPath: live + "/snapshots") {
                try FileManager.default.removeItem(atPath: live + "/snapshots/" + name)
            }
            let isKilled = try killedRestore(of: snapshot + ".jsonl.gz", into: live) {
                try step.wait(for: $0, in: live)
            }
            let found = try count(in: live)
            #expect(found == 100 || found == 600, "\(step)")
            // A process that exited by itself has completed the restore.
            #expect(isKilled || found != old, "\(step)")
            #expect(try integrity(of: live) == "ok", "\(step)")
        }
        // Another restore is killed, so that the next one finds its leftovers.
        _ = try killedRestore(of: small + ".jsonl.gz", into: live) { try Step.built.wait(for: $0, in: live) }
        try expectCleanedUp(live, by: large + ".jsonl.gz", of: 600)
    }

    /// Expects that the next restore succeeds and removes everything that the killed ones left.
    private func expectCleanedUp(_ live: String, by snapshot: String, of records: Int) throws {
        try zoo("restore", snapshot, "--yes", "--data", live)
        #expect(try count(in: live) == records)
        let left = try FileManager.default.contentsOfDirectory(atPath: live + "/snapshots").filter { $0.hasPrefix(".") }
        #expect(left.filter { $0.hasPrefix(".working-") } == [])
        // A partial file that is older than a minute is removed with the next snapshot.
        let partial = live + "/snapshots/Zoo-20260101T000000Z.jsonl.gz.00000000.partial"
        #expect(FileManager.default.createFile(atPath: partial, contents: Data("x".utf8)))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: partial)
        try zoo("backup", "--data", live)
        #expect(!FileManager.default.fileExists(atPath: partial))
    }

    @Test(
        "A first restore killed at any step leaves no store or a complete store",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program), "The program is not built."))
    func first() async throws {
        try await BlockingWork.run { try killFirstAtEachStep() }
    }

    private func killFirstAtEachStep() throws {
        let temporary = TemporaryDirectory()
        let source = temporary.path + "/source", snapshot = source + ".jsonl.gz"
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        try makeSnapshot(of: 600, source)
        for step in [Step.begun, .building, .built, .ended] {
            let live = temporary.path + "/live-\(step)"
            let isKilled = try killedRestore(of: snapshot, into: live) { try step.wait(for: $0, in: live) }
            #expect(isKilled || isThere(in: live), "\(step)")
            try expectNoneOrWhole(in: live, of: snapshot, records: 600)
        }
    }

    private func isThere(in live: String) -> Bool {
        FileManager.default.fileExists(atPath: live + "/store.sqlite")
    }

    private func expectNoneOrWhole(in live: String, of snapshot: String, records: Int) throws {
        if isThere(in: live) {
            #expect(try count(in: live) == records)
            #expect(try integrity(of: live) == "ok")
        } else {
            // Another attempt succeeds.
            try zoo("restore", snapshot, "--yes", "--data", live)
            #expect(try count(in: live) == records)
        }
        try FileManager.default.removeItem(atPath: live)
    }

    @Test(
        "A restore killed at 100 random moments leaves the old or the new records",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program), "The program is not built."),
        .enabled(if: Explore.isOn, "Moments at random are for a search, which takes minutes."))
    func sweep() async throws {
        try await BlockingWork.run { try killAtRandom() }
    }

    private func killAtRandom() throws {
        let temporary = TemporaryDirectory()
        let small = temporary.path + "/small", large = temporary.path + "/large", live = temporary.path + "/live"
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        try makeSnapshot(of: 300, small)
        try makeSnapshot(of: 2500, large)
        var moments = try RandomMoments(TestSeed.generator(1)) {
            try zoo("restore", small + ".jsonl.gz", "--yes", "--data", live)
        }
        var outcomes: [Int: Int] = [:]
        for round in 0..<100 {
            let snapshot = round.isMultiple(of: 2) ? large : small
            let pause = moments.next()
            let isKilled = try killedRestore(of: snapshot + ".jsonl.gz", into: live) { _ in usleep(pause) }
            moments.adapt(isKilled: isKilled)
            let found = try count(in: live)
            #expect(found == 300 || found == 2500)
            #expect(try integrity(of: live) == "ok")
            outcomes[found, default: 0] += 1
        }
        #expect(outcomes.count == 2, "\(outcomes)")
        try expectCleanedUp(live, by: large + ".jsonl.gz", of: 2500)
    }

    @Test(
        "A first restore killed at 40 random moments leaves no store or a complete store",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program), "The program is not built."),
        .enabled(if: Explore.isOn, "Moments at random are for a search, which takes minutes."))
    func firstSweep() async throws {
        try await BlockingWork.run { try killFirstAtRandom() }
    }

    private func killFirstAtRandom() throws {
        let temporary = TemporaryDirectory()
        let source = temporary.path + "/source", snapshot = source + ".jsonl.gz"
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: true)
        try makeSnapshot(of: 2500, source)
        var moments = try RandomMoments(TestSeed.generator(2)) {
            try zoo("restore", snapshot, "--yes", "--data", temporary.path + "/whole")
        }
        var outcomes: [Bool: Int] = [:]
        for round in 0..<40 {
            let live = temporary.path + "/live-\(round)", pause = moments.next()
            let isKilled = try killedRestore(of: snapshot, into: live) { _ in usleep(pause) }
            moments.adapt(isKilled: isKilled)
            outcomes[isThere(in: live), default: 0] += 1
            try expectNoneOrWhole(in: live, of: snapshot, records: 2500)
        }
        #expect(outcomes.count == 2, "\(outcomes)")
    }

    @Test(
        "A restore without a terminal and without --yes fails with a usage error",
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

/// Random moments between the start of some work and a time after its end.
///
/// The duration of the work changes with the machine's load, so the moments adapt to it.
private struct RandomMoments {
    private var longest: Double
    private var generator: SeededGenerator

    /// Measures the duration of the work.
    ///
    /// - Parameter work: A closure that is called once.
    init(_ generator: SeededGenerator, work: () throws -> Void) rethrows {
        self.generator = generator
        let start = ContinuousClock.now
        try work()
        longest = 2 * (start.duration(to: .now) / .seconds(1))
    }

    /// Returns the next moment in microseconds.
    mutating func next() -> UInt32 { UInt32(Double.random(in: 0...longest, using: &generator) * 1e6) }

    mutating func adapt(isKilled: Bool) { longest *= isKilled ? 1.2 : 0.85 }
}
