import Foundation
import TestSupport
import Testing

@testable import AviaryData

/// Tests that kill the program before each of the changes of names by which a restore replaces a store.
@Suite("Snapshot: restores killed at each step of the switch", .onlySQLite("the files that the switch names"))
struct RestoreStepKillTests {
    private static let program =
        Bundle.main.executableURL?.resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("zoo").path ?? ""
    /// More than there are changes of names.
    private static let mostSteps = 100

    private func zoo(_ arguments: String...) throws {
        let result = try run(Self.program, arguments)
        try #require(result.status == 0, "\(arguments) \(result.output)")
    }

    private func friends(in directory: String) throws -> Set<String> {
        Set(try contents(of: directory, onlyRecords: true).filter { $0.hasPrefix("Friend ") })
    }

    private func makeSnapshot(of names: [String], _ path: String) throws {
        let csv = "name,birthday\n" + names.map { "\($0),2000-01-01\n" }.joined()
        try Data(csv.utf8).write(to: URL(fileURLWithPath: path + ".csv"))
        try zoo("import", "Friend", path + ".csv", "--data", path)
        try zoo("backup", "--data", path, "--output", path + ".jsonl.gz")
    }

    @Test(
        "A restore killed before any change of names leaves one whole store, and the replaced one is saved",
        .enabled(if: FileManager.default.isExecutableFile(atPath: program), "The program is not built."))
    func steps() async throws {
        try await BlockingWork.run { try killBeforeEachChange() }
    }

    private func killBeforeEachChange() throws {
        let temporary = TemporaryDirectory(), folder = temporary.path, live = folder + "/live"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let faults = try NameFaults(in: folder)
        try makeSnapshot(of: ["Ada", "Grace"], folder + "/one")
        try makeSnapshot(of: ["Edsger", "Niklaus", "Barbara"], folder + "/two")
        try zoo("restore", folder + "/one.jsonl.gz", "--yes", "--data", live)
        let one = try friends(in: folder + "/one"), two = try friends(in: folder + "/two")
        try #require(one.count == 2 && two.count == 3)
        var kept = 0, replaced = 0, step = 1
        while step < Self.mostSteps {
            let before = try friends(in: live), snapshot = before == one ? "two" : "one"
            let result = try run(
                "/usr/bin/env",
                faults.environment(killingAt: step).map { "\($0)=\($1)" } + [
                    Self.program, "restore", folder + "/\(snapshot).jsonl.gz", "--yes", "--data", live,
                ])
            let after = try friends(in: live)
            #expect(after == one || after == two, "step \(step)")
            #expect(try integrity(of: live) == "ok", "step \(step)")
            if result.status == 0 { break }
            if after == before { kept += 1 } else { replaced += 1 }
            try expectSaved(after == before ? nil : before, in: live, folder, "step \(step)")
            step += 1
        }
        // A kill before the switch and one after it were both met, and the last restore was not killed.
        #expect(kept > 3 && replaced > 1 && step < Self.mostSteps, "\(kept) \(replaced) \(step)")
        try expectSaved(nil, in: live, folder, "the last")
    }

    /// Expects that the next start and backup leave one store that saves, and a snapshot of the replaced one.
    private func expectSaved(
        _ replaced: Set<String>?, in live: String, _ folder: String, _ step: Comment
    ) throws {
        let animals = folder + "/animals.csv"
        try Data("name\nOkapi\n".utf8).write(to: URL(filePath: animals))
        try zoo("import", "Animal", animals, "--data", live)
        try zoo("backup", "--data", live)
        let names = try FileManager.default.contentsOfDirectory(atPath: live)
        let found = Set(names.filter { $0.hasPrefix("store") && $0.contains(".sqlite") || $0.hasPrefix(".") })
        let file = URL(filePath: try DataDirectory(path: live).storeFilePath).lastPathComponent
        #expect(found == ["store.sqlite", file, file + "-wal", file + "-shm"], step)
        let snapshots = live + "/snapshots", other = folder + "/other"
        var saved: [Set<String>] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: snapshots) {
            if replaced != nil, name.hasSuffix("-before-restore.jsonl.gz") {
                try zoo("restore", snapshots + "/" + name, "--yes", "--data", other)
                saved.append(try friends(in: other))
                try FileManager.default.removeItem(atPath: other)
            }
            try FileManager.default.removeItem(atPath: snapshots + "/" + name)
        }
        if let replaced { #expect(saved.contains(replaced), step) }
    }
}
