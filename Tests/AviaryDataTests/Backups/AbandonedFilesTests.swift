import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Removal of files abandoned by killed processes")
struct AbandonedFilesTests {
    private let temporary = TemporaryDirectory()
    private let folder: String

    init() throws {
        let directory = try DataDirectory(path: temporary.path)
        try directory.createSnapshotsDirectory()
        folder = directory.snapshotsPath
    }

    /// Creates the file or directory with a modification date two minutes ago.
    private func plant(_ name: String, isDirectory: Bool = true) throws -> String {
        let path = folder + "/" + name
        if isDirectory {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Data([1]).write(to: URL(filePath: path + "/store.sqlite"))
        } else {
            try Data([1]).write(to: URL(filePath: path))
        }
        try age(path)
        return path
    }

    private func age(_ path: String) throws {
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: path)
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func openStore() async throws {
        let fixture = try StoreFixture.snapshots(in: temporary)
        await fixture.store.close()
    }

    @Test("Opening a store removes abandoned working directories and partial files")
    func abandoned() async throws {
        let paths = [
            try plant(".new-1"), try plant(".working-1"),
            try plant("Zoo.jsonl.gz.12345678.partial", isDirectory: false),
        ]
        let snapshot = try plant("Zoo.jsonl.gz", isDirectory: false)
        try await openStore()
        #expect(paths.filter(isThere) == [])
        #expect(isThere(snapshot))
    }

    @Test("An abandoned partial file is removed after a few seconds but not at once")
    func justKilled() throws {
        let killed = try plant("Zoo.jsonl.gz.12345678.partial", isDirectory: false),
            made = try plant("Zoo.jsonl.gz.87654321.partial", isDirectory: false)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -5)], ofItemAtPath: killed)
        // The date is in the future, so the file counts as new however long the test takes.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 3600)], ofItemAtPath: made)
        AtomicFile.removeAbandoned(in: folder)
        #expect(!isThere(killed))
        #expect(isThere(made))
    }

    @Test("Opening a store keeps the files of running processes")
    func inUse() async throws {
        let working = try WorkingDirectory(in: folder), file = try AtomicFile(folder + "/Zoo.jsonl.gz")
        let begun = try plant(".new-1")
        let descriptor = open(begun, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        defer { close(descriptor) }
        // The process that created it may be about to lock it.
        let justMade = folder + "/.new-2"
        try FileManager.default.createDirectory(atPath: justMade, withIntermediateDirectories: false)
        try age(working.path)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder)
        for name in before where name.hasSuffix(".partial") { try age(folder + "/" + name) }
        try await openStore()
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == Set(before))
        withExtendedLifetime((working, file)) {}
    }
}
