import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: files that are not complete snapshots")
struct SnapshotFileRefusalTests {
    private func sampleBytes() async throws -> (StoreFixture, [UInt8], String) {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let site = Site(code: "B2")
        try await fixture.insert(site)
        try await fixture.insert(Specimen(note: (0..<2000).map { "\($0 &* 2_654_435_761)" }.joined(), site: site))
        let path = try await fixture.backup()
        return (fixture, [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), path)
    }

    @Test("A file that is truncated anywhere is rejected")
    func cutOff() async throws {
        let (fixture, bytes, path) = try await sampleBytes()
        for part in 0..<20 {
            try Data(bytes[..<(bytes.count * part / 20)]).write(to: URL(fileURLWithPath: path + ".cut"))
            await #expect(throws: SnapshotError.self) { try await fixture.snapshots.verify(path + ".cut") }
        }
        try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: path + ".cut"))
        await #expect(throws: SnapshotError(.cutOff)) { try await fixture.snapshots.verify(path + ".cut") }
    }

    @Test("Verification detects every flipped bit that affects the contents")
    func flippedBits() async throws {
        let (fixture, bytes, path) = try await sampleBytes()
        let original = try await fixture.snapshots.verify(path)
        var overlooked = 0
        var generator = TestSeed.generator()
        for _ in 0..<(Explore.isOn ? 200 : 60) {
            var spoiled = bytes
            // The header's time, flags and system may have any value. The checksums of the contents protect the
            // rest.
            let index = Int.random(in: 10..<bytes.count, using: &generator)
            spoiled[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            try Data(spoiled).write(to: URL(fileURLWithPath: path + ".flipped"))
            do {
                // A few bits are padding in the last byte of the compressed data. A change of them does not change
                // the contents.
                let summary = try await fixture.snapshots.verify(path + ".flipped")
                #expect(summary.sha256 == original.sha256 && summary.records == original.records, "byte \(index)")
                overlooked += 1
            } catch {
                let reason = (error as? SnapshotError)?.reason
                #expect(reason != nil && reason != .notGzip, "byte \(index)")
            }
        }
        #expect(overlooked < 5)
    }

    @Test("Bytes after the last gzip member are rejected", arguments: [[0], [0x1F, 0x8B], Array("text".utf8)])
    func trailing(bytes: [UInt8]) async throws {
        let (fixture, file, path) = try await sampleBytes()
        try Data(file + bytes).write(to: URL(fileURLWithPath: path + ".longer"))
        let error = await #expect(throws: SnapshotError.self) { try await fixture.snapshots.verify(path + ".longer") }
        #expect(error?.reason == .afterEnd)
    }

    @Test("Empty gzip members after the last line are rejected", arguments: [1, 2])
    func emptyMembers(count: Int) async throws {
        let (fixture, file, path) = try await sampleBytes()
        try writeGzip([], to: path + ".empty")
        let empty = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".empty")))
        try Data(file + (0..<count).flatMap { _ in empty }).write(to: URL(fileURLWithPath: path + ".longer"))
        let error = await #expect(throws: SnapshotError.self) { try await fixture.snapshots.verify(path + ".longer") }
        #expect(error?.reason == .afterEnd)
    }

    @Test("A second snapshot after the first is rejected")
    func twice() async throws {
        let (fixture, file, path) = try await sampleBytes()
        try Data(file + file).write(to: URL(fileURLWithPath: path + ".twice"))
        let error = await #expect(throws: SnapshotError.self) { try await fixture.snapshots.verify(path + ".twice") }
        #expect(error?.reason == .afterEnd)
    }

    @Test("A file that is not a gzip file is rejected", arguments: ["", "x", "{\"format\":\"aviary.snapshot\"}\n"])
    func noGzip(text: String) async throws {
        let (fixture, _, path) = try await sampleBytes()
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + ".txt"))
        await #expect(throws: SnapshotError(.notGzip)) { try await fixture.snapshots.verify(path + ".txt") }
        await #expect(throws: FileError.self) { try await fixture.snapshots.verify(path + ".missing") }
        await #expect(throws: FileError.self) { try await fixture.snapshots.verify(fixture.directory.path) }
    }

    @Test("A small file with a flipped bit is reported as damaged")
    func smallAndDamaged() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // The byte belongs to the checksum of the contents at the end of the file.
        bytes[bytes.count - 6] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path + ".flipped"))
        await #expect(throws: SnapshotError(.damaged)) { try await fixture.snapshots.verify(path + ".flipped") }
    }

    @Test("A named pipe is rejected without waiting for a writer", .timeLimit(.minutes(Patience.minutes)))
    func namedPipe() async throws {
        let (fixture, _, path) = try await sampleBytes()
        #expect(mkfifo(path + ".pipe", 0o600) == 0)
        let error = await #expect(throws: FileError.self) { try await fixture.snapshots.verify(path + ".pipe") }
        #expect(error?.reason == "is no file.")
        #expect(error?.advice.contains("- for the file and < \(path).pipe") == true)
    }

    @Test("A pipe passed as /dev/fd is read as its bytes arrive", .timeLimit(.minutes(Patience.minutes)))
    func handedPipe() async throws {
        let (fixture, bytes, _) = try await sampleBytes()
        let pipe = Pipe()
        let writing = Task {
            try pipe.fileHandleForWriting.write(contentsOf: Data(bytes[..<5]))
            // The rest is written after these bytes are read.
            try await eventually("the first bytes are read") {
                var count: Int32 = 0
                return ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count) == 0 && count == 0
            }
            try pipe.fileHandleForWriting.write(contentsOf: Data(bytes[5...]))
            try pipe.fileHandleForWriting.close()
        }
        #expect(
            try await fixture.snapshots.verify("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)").app == "Museum")
        try await writing.value
    }

    @Test(
        "A wait for a silent pipe is reported, and a snapshot that arrives later is read",
        .timeLimit(.minutes(Patience.minutes)))
    func silentPipe() async throws {
        let (fixture, bytes, _) = try await sampleBytes()
        let pipe = Pipe(), isWaiting = Atomic(false)
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [],
            report: { if $0.step == .waiting { isWaiting.store(true, ordering: .relaxed) } }
        )
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        let verifying = Task { try await repository.verify(path) }
        try await eventually("the wait is reported") { isWaiting.load(ordering: .relaxed) }
        let writing = Task {
            try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
            try pipe.fileHandleForWriting.close()
        }
        #expect(try await verifying.value.app == "Museum")
        try await writing.value
    }

    @Test("The wait for a silent pipe can be cancelled", .timeLimit(.minutes(Patience.minutes)))
    func endedWait() async throws {
        let fixture = try StoreFixture.snapshots()
        let pipe = Pipe(), cancellationToken = CancellationToken()
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [],
            cancellationToken: cancellationToken,
            report: { if $0.step == .waiting { cancellationToken.request() } }
        )
        await #expect(throws: SnapshotError(.interrupted)) {
            try await repository.verify("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        }
        try pipe.fileHandleForWriting.close()
    }

    @Test("A snapshot of another application is accepted only under the name of that application")
    func renamed() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        func verify(accepting app: String?) async throws -> SnapshotSummary {
            try await SQLSnapshotRepository(
                data: fixture.directory.path, app: "Gallery", acceptingApp: app, schema: fixture.schema, sortIndexes: []
            ).verify(path)
        }
        #expect(try await verify(accepting: "Museum").app == "Museum")
        await #expect(throws: SnapshotError(.otherApp("Museum", program: "Gallery"), line: 1)) {
            try await verify(accepting: nil)
        }
        await #expect(throws: SnapshotError.self) { try await verify(accepting: "Zoo") }
    }

    @Test("A decompression bomb of one line is rejected at the line limit")
    func bomb() async throws {
        let temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path)
        let path = directory.path + "/bomb.gz"
        #expect(try run("/bin/sh", ["-c", "head -c 300000000 /dev/zero | gzip -1 > '\(path)'"]).status == 0)
        let repository = SQLSnapshotRepository(
            data: directory.path, app: "Museum", schema: try .snapshots(), sortIndexes: [])
        await #expect(throws: SnapshotError(.lineTooLong, line: 1)) { try await repository.verify(path) }
    }
}
