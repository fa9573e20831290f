import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: backup and restore")
struct SnapshotRoundTripTests {
    /// Restores into another directory and returns the records of both stores.
    private func roundTrip(_ fixture: StoreFixture) async throws -> (original: [String], restored: [String]) {
        let path = try await fixture.backup()
        let other = TemporaryDirectory()
        let restored = try await SQLSnapshotRepository(
            data: other.path, app: "Museum", schema: fixture.schema, sortIndexes: StoreFixture.snapshotIndexes
        ).restore(from: path)
        #expect(restored.replaced == nil)
        #expect(try integrity(of: other.path) == "ok")
        let reopened = try StoreFixture.snapshots(in: other)
        #expect(try await reopened.totalsMatch())
        return (
            try contents(of: fixture.directory.path, onlyRecords: true), try contents(of: other.path, onlyRecords: true)
        )
    }

    @Test("A round trip preserves values of every type at their limits")
    func values() async throws {
        let fixture = try StoreFixture.snapshots()
        let site = Site(code: "é\u{301} \"quoted\" \\ /")
        try await fixture.insert(site)
        let texts = [
            "plain", "", " ", "\"", "\\", "\\u0041", "</script>",
            (1...31).map { String(Unicode.Scalar(UInt8($0))) }.joined(),
            "\u{7F}\u{80}\u{2028}\u{2029}\u{FEFF}\u{FFFD}\u{FFFF}", "e\u{301}é", "👩‍👩‍👧‍👦 שלום 日本", "{\"end\":true}",
            "a\nb\r\n",
            String(repeating: "long \"text\" ", count: 50_000),
        ]
        for (number, text) in texts.enumerated() {
            var specimen = Specimen(
                label: "specimen \(number)", note: text, site: number.isMultiple(of: 2) ? site : nil)
            specimen.isCast = number.isMultiple(of: 3)
            specimen.tag = number.isMultiple(of: 2) ? UUID() : nil
            specimen.kind = Specimen.Kind.allCases[number % 3]
            specimen.day = CalendarDate(year: number * 700, month: 2, day: 28)
            specimen.found = Date(timeIntervalSince1970: Double(number) * 1e9 + 0.123)
            try await fixture.insert(specimen)
        }
        for number in [Int.min, -1, 0, 1, .max] {
            var specimen = Specimen()
            specimen.number = number
            try await fixture.insert(specimen)
        }
        for weight: Double in [
            0, -0.0, 0.1, 1 / 3, Double.leastNonzeroMagnitude, -Double.greatestFiniteMagnitude, 1e16,
            123_456_789_012_345_680, 2.5e-7,
        ] {
            var specimen = Specimen()
            specimen.weight = weight
            try await fixture.insert(specimen)
        }
        let (original, restored) = try await roundTrip(fixture)
        #expect(original.count == 1 + texts.count + 5 + 9)
        #expect(original == restored)
    }

    @Test("A round trip preserves an empty store")
    func empty() async throws {
        let fixture = try StoreFixture.snapshots()
        let (original, restored) = try await roundTrip(fixture)
        #expect(original.isEmpty && restored.isEmpty)
    }

    @Test("A round trip preserves record versions and the commit number")
    func versions() async throws {
        let fixture = try StoreFixture.snapshots()
        var specimen = Specimen(label: "first")
        try await fixture.insert(specimen)
        specimen.label = "second"
        try await fixture.submit(specimen.update(from: 1))
        let gone = Specimen()
        try await fixture.insert(gone)
        try await fixture.submit(gone.deletion)
        let summary = try await fixture.snapshots.create(at: .standard, level: 9)
        #expect(summary.commit == 4)
        #expect(summary.counts == ["Specimen": 1, "Site": 0])
        let (original, restored) = try await roundTrip(fixture)
        #expect(original == restored)
        #expect(restored.first?.contains("|integer(2)|") == true)
    }

    @Test("A round trip preserves 100,000 records", .onlySQLite("the statement that makes the records"))
    func many() async throws {
        let fixture = try StoreFixture.snapshots()
        let site = Site(code: "A1")
        try await fixture.insert(site)
        let siteID = site.id.description
        try await fixture.store.configure { connection in
            try connection.run(
                """
                INSERT INTO Specimen (id, aviary_version, label, note, isCast, number, weight, kind, site)
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
                SELECT printf('%08x-0000-7000-8000-%012x', n, n), 1, 'specimen ' || n, 'note', n % 2, n, n / 7.0, 'egg', ? FROM numbers
                """, .text(siteID)
            )
        }
        let path = try await fixture.backup()
        let other = TemporaryDirectory()
        let restored = try await SQLSnapshotRepository(
            data: other.path, app: "Museum", schema: fixture.schema, sortIndexes: StoreFixture.snapshotIndexes
        ).restore(from: path)
        #expect(restored.snapshot.counts == ["Specimen": 100_000, "Site": 1])
        #expect(try integrity(of: other.path) == "ok")
        let differences = try await fixture.store.difference(from: other.path, table: "Specimen")
        #expect(differences == 0)
    }

    @Test("A snapshot with cyclic references is valid")
    func circles() async throws {
        let fixture = try StoreFixture.rules()
        let first = Bird()
        var second = Bird(mate: first)
        second.name = "second"
        try await fixture.insert(first, second)
        var married = first
        married.mate = Reference(second)
        try await fixture.submit(married.update(from: 1))
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Rules", schema: fixture.schema, sortIndexes: [])
        let path = try await repository.create(at: .standard, level: 1).path ?? ""
        #expect(try await repository.verify(path).counts["Bird"] == 2)
    }

    @Test("gzip and any JSON parser can read a snapshot")
    func otherReaders() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        #expect(try run("/bin/gzip", ["-t", path]).status == 0)
        let lines = try SnapshotText(path).lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.count == 7)
        #expect(Set(lines[0].keys) == ["format", "version", "app", "createdAt", "commit", "schema", "models", "log"])
        #expect(lines[0]["format"] as? String == "aviary.snapshot")
        #expect(lines[1...4].allSatisfy { Set($0.keys) == ["model", "id", "version", "values"] })
        #expect(Set(lines[5].keys) == ["commit"])
        #expect(lines[6]["records"] as? Int == 5)
        let hash = try run("/bin/sh", ["-c", "zcat '\(path)' | head -n -1 | sha256sum | cut -d' ' -f1"]).output
        #expect(lines[6]["sha256"] as? String == hash.trimmingCharacters(in: .newlines))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(path.wholeMatch(of: /.*\/snapshots\/Museum-\d{8}T\d{6}Z(-\d+)?\.jsonl\.gz/) != nil)
    }

    @Test("Consecutive gzip members form one snapshot")
    func members() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let bytes = [UInt8](try SnapshotText(path).lines.map { $0 + "\n" }.joined().utf8)
        var file = Data()
        for (number, part) in [bytes[..<100], [], bytes[100..<900], bytes[900...]].enumerated() {
            try writeGzip(Array(part), to: path + ".\(number)")
            file += try Data(contentsOf: URL(fileURLWithPath: path + ".\(number)"))
        }
        try file.write(to: URL(fileURLWithPath: path + ".all"))
        #expect(try await fixture.snapshots.verify(path + ".all").records == 4)
    }

    @Test("Records and the keys of a record may come in any order")
    func anyOrder() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        var text = try SnapshotText(path)
        let fields = try #require(
            text.lines[1].wholeMatch(of: /\{("model":"[^"]*"),("id":"[^"]*"),("version":\d+),("values":.*)\}/))
        text.lines[1] = " { \(fields.4) , \(fields.3),\t\(fields.2),\(fields.1) } "
        text.lines.swapAt(1, 4)
        try text.close()
        try text.write(to: path + ".other")
        #expect(try await fixture.snapshots.verify(path + ".other").records == 4)
    }

    @Test("A backup creates only its file and never overwrites an existing file")
    func clean() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        await #expect(throws: FileError.exists(path)) { try await fixture.snapshots.create(at: .file(path), level: 1) }
        await #expect(throws: FileError.self) {
            try await fixture.snapshots.create(at: .file("/no/where.gz"), level: 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.snapshotsPath).count == 1)
    }

    @Test("A backup removes abandoned working directories but not those in use")
    func abandoned() async throws {
        let fixture = try StoreFixture.snapshots()
        try fixture.directory.createSnapshotsDirectory()
        let abandoned = fixture.directory.snapshotsPath + "/.working-abandoned"
        mkdir(abandoned, 0o700)
        let used = try WorkingDirectory(in: fixture.directory.snapshotsPath)
        _ = try await fixture.backup()
        #expect(!FileManager.default.fileExists(atPath: abandoned))
        #expect(FileManager.default.fileExists(atPath: used.path))
    }

    @Test("A backup of a directory without a store fails and creates nothing")
    func missingStore() async throws {
        let temporary = TemporaryDirectory()
        let repository = SQLSnapshotRepository(
            data: temporary.path, app: "Museum", schema: try .snapshots(), sortIndexes: [])
        await #expect(throws: StoreOpenError.self) { try await repository.create(at: .standard, level: 1) }
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
    }

    @Test("An interrupted backup leaves no files behind")
    func interrupted() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let cancellationToken = CancellationToken()
        cancellationToken.request()
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [],
            cancellationToken: cancellationToken
        )
        await #expect(throws: SnapshotError(.interrupted)) { try await repository.create(at: .standard, level: 1) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.snapshotsPath).isEmpty)
    }

    @Test("A backup during concurrent transfers captures one committed state")
    func transfers() async throws {
        let fixture = try StoreFixture.snapshots()
        var accounts = (0..<40).map { _ in Specimen() }
        for index in accounts.indices { accounts[index].number = 100 }
        let first = try await fixture.store.submit(ChangeSet(author: "test", changes: accounts.map(\.insertion)))
        let initial = accounts
        let transfers = Task {
            var accounts = initial
            var versions = [Int64](repeating: first.commit, count: accounts.count)
            var count = 0
            while !Task.isCancelled {
                let from = count % accounts.count
                let to = (count * 7 + 3) % accounts.count
                count += 1
                guard from != to else { continue }
                accounts[from].number = (accounts[from].number ?? 0) - 7
                accounts[to].number = (accounts[to].number ?? 0) + 7
                let receipt = try await fixture.submit(
                    accounts[from].update(from: versions[from]), accounts[to].update(from: versions[to])
                )
                versions[from] = receipt.commit
                versions[to] = receipt.commit
            }
            return count
        }
        var commits: Set<Int64> = []
        for round in 0..<50 {
            // The snapshot is read from the store itself or from a copy, as the server's own snapshots are.
            let repository =
                round.isMultiple(of: 2)
                ? fixture.snapshots
                : SQLSnapshotRepository(
                    data: fixture.directory.path, app: "Museum", schema: fixture.schema, sortIndexes: [],
                    isLowPriority: true)
            let path = try #require(try await repository.create(at: .standard, level: 1).path)
            commits.insert(try await fixture.snapshots.verify(path).commit)
            // Commits have numbers, too.
            let sum = try SnapshotText(path).lines.filter { $0.contains("\"model\"") }.compactMap { line in
                line.firstMatch(of: /"number":(-?\d+)/).flatMap { Int($0.1) }
            }.reduce(0, +)
            #expect(sum == 4000)
        }
        transfers.cancel()
        #expect(try await transfers.value > 10)
        #expect(commits.count > 1)
    }
}
