import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Imports of commands")
struct CommandImportFolderTests {
    private let directory = TemporaryDirectory()
    private var folder: CommandImportFolder { CommandImportFolder(data: directory.path) }

    init() throws {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    }

    private func job(_ key: String = "0123456789abcdef0123456789abcdef") -> ImportJob {
        ImportJob(
            of: "a.csv", form: [], at: Date(timeIntervalSince1970: 1_800_000_000),
            command: ImportJob.Command(model: "Site", path: "/a.csv", key: key, arguments: ["import"]))
    }

    /// Stores one batch of an import and lets it end without completing it.
    private func interrupt() throws -> ImportJob {
        let record = try folder.begin(job())
        var job = record.job
        (job.stored.commits, job.stored.lastLine) = ([7], 501)
        job.state = .failed
        record.end(job)
        return job
    }

    @Test("A repetition of an interrupted import continues its job and its series")
    func continued() throws {
        let first = try interrupt()
        let next = try folder.begin(job()).job
        #expect(next.series == first.series && next.stored.lastLine == 501 && next.state == .running)
    }

    @Test("An import that starts over forgets what an interrupted one stored")
    func startedOver() throws {
        let first = try interrupt()
        let next = try folder.begin(job(), startsOver: true).job
        #expect(next.series != first.series && next.stored.commits.isEmpty)
    }

    @Test("A running import cannot begin a second time")
    func busy() throws {
        let record = try folder.begin(job())
        #expect(throws: ImportFileError.busy) { try folder.begin(job()) }
        withExtendedLifetime(record) {}
    }

    @Test("An interrupted import is listed, and a complete one is not")
    func listed() throws {
        _ = try interrupt()
        #expect(folder.jobs().map(\.state) == [.interrupted])
        let record = try folder.begin(job())
        var job = record.job
        job.state = .done
        record.end(job)
        #expect(folder.jobs().isEmpty)
    }

    @Test("The key of an import depends on the bytes of its file and on each setting")
    func key() async throws {
        let one = directory.path + "/one", other = directory.path + "/other"
        try Data("name\nKea\n".utf8).write(to: URL(filePath: one))
        try Data("name\nKaka\n".utf8).write(to: URL(filePath: other))
        let key = try await CommandImportFolder.key(of: ["a", "b"], file: one)
        #expect(try await CommandImportFolder.key(of: ["a", "b"], file: one) == key)
        #expect(try await CommandImportFolder.key(of: ["a", "b"], file: other) != key)
        #expect(try await CommandImportFolder.key(of: ["ab", ""], file: one) != key)
    }

    @Test("Expired uploads are removed without an interrupted import of a command")
    func expiry() throws {
        _ = try interrupt()
        let names = FileManager.default.enumerator(atPath: directory.path)?.allObjects as? [String] ?? []
        for name in names where name.hasSuffix(JobFileName.job) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)],
                ofItemAtPath: directory.path + "/" + name)
        }
        ImportFolder(data: directory.path).removeExpired()
        #expect(folder.jobs().count == 1)
    }
}
