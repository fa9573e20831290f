import AviaryDomain
import CSQLite
import Foundation
import Testing

@testable import AviaryData

@Suite("Opening a store")
struct OpeningTests {
    @Test(
        "The store sets the pragmas that durability depends on", .onlySQLite("PRAGMA statements"),
        arguments: [
            ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("auto_vacuum", "2"),
            ("trusted_schema", "0"),
        ])
    func settings(name: String, value: String) async throws {
        let fixture = try StoreFixture.lists()
        #expect(try await fixture.store.pragma(name) == value)
    }

    @Test("A reader cannot write")
    func readersAreReadOnly() throws {
        let fixture = try StoreFixture.lists()
        #expect(throws: EngineError.self) {
            try fixture.readers.read { try $0.run("DELETE FROM aviary_meta") }
        }
    }

    @Test("The directory and its files are private to their user", .onlySQLite("a file with permissions"))
    func permissions() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Okapi"))
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(fixture.directory.path) == 0o700)
        for path in [fixture.directory.storePath, fixture.directory.storePath + "-wal", fixture.directory.lockPath] {
            #expect(try mode(path) == 0o600)
        }
    }

    @Test("A second store on the directory is rejected with the name of the first process")
    func secondStore() async throws {
        let fixture = try StoreFixture.lists()
        let error = #expect(throws: DataDirectoryError.self) {
            try Store(directory: fixture.directory, schema: fixture.schema, sortIndexes: [])
        }
        #expect(error?.reason == "is in use by process \(getpid()) (\(ProcessInfo.processInfo.processName)).")
        await fixture.store.close()
        _ = try Store(directory: fixture.directory, schema: fixture.schema, sortIndexes: [])
    }

    @Test("A directory that cannot be created throws an error with the reason")
    func impossibleDirectory() throws {
        #expect(throws: DataDirectoryError.self) { try DataDirectory(path: "/proc/aviary/data") }
        let temporary = TemporaryDirectory()
        try Data("text".utf8).write(to: URL(fileURLWithPath: temporary.path))
        let error = #expect(throws: DataDirectoryError.self) { try DataDirectory(path: temporary.path) }
        #expect(error?.reason == "is not a directory.")
        #expect(throws: DataDirectoryError.self) { try DataDirectory(path: temporary.path + "/below") }
    }

    @Test("A directory without write permission is rejected", .enabled(if: geteuid() != 0, "root may write anywhere"))
    func unwritableDirectory() throws {
        let temporary = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: temporary.path, withIntermediateDirectories: false)
        chmod(temporary.path, 0o500)
        #expect(throws: DataDirectoryError.self) { try DataDirectory(path: temporary.path) }
    }

    @Test("Missing parent directories are created")
    func nestedDirectory() throws {
        let temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path + "/a/b/")
        #expect(FileManager.default.fileExists(atPath: directory.path))
    }

    @Test("Opening readers of a directory without a store throws an error", .onlySQLite("a file that can be missing"))
    func readersWithoutStore() throws {
        let temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path)
        #expect(throws: StoreOpenError.missing(path: directory.storePath)) {
            try ReaderPool.patient(directory, .lists())
        }
    }

    @Test(
        "Readers without permission throw a file error and not that the store is missing",
        .onlySQLite("a file with permissions"),
        .enabled(if: geteuid() != 0, "root may read anything"))
    func readersWithoutRight() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.close()
        chmod(fixture.directory.storePath, 0)
        #expect(throws: FileError.self) { try ReaderPool.patient(fixture.directory, .lists()) }
        chmod(fixture.directory.path, 0)
        defer { chmod(fixture.directory.path, 0o700) }
        #expect(throws: FileError.self) { try ReaderPool.patient(fixture.directory, .lists()) }
        #expect(DataDirectory.hasStore(at: fixture.directory.path))
    }

    @Test(
        "A database of another program is rejected and left unchanged",
        .onlySQLite("a file that another program may have written"), arguments: ["DELETE", "WAL"])
    func foreignFile(journalMode: String) throws {
        let temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path)
        try create(at: directory.storePath, "PRAGMA journal_mode=\(journalMode)", "CREATE TABLE other (x)")
        let before = try Data(contentsOf: URL(fileURLWithPath: directory.storePath))
        #expect(throws: StoreOpenError.notAStore(path: directory.storePath)) {
            try Store(directory: directory, schema: .lists(), sortIndexes: [])
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.storePath)) == before)
    }

    @Test(
        "A database without tables of another program is rejected",
        .onlySQLite("a file that another program may have written"))
    func foreignEmptyFile() throws {
        let temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path)
        try create(at: directory.storePath, "PRAGMA user_version=7")
        #expect(throws: StoreOpenError.notAStore(path: directory.storePath)) {
            try Store(directory: directory, schema: .lists(), sortIndexes: [])
        }
    }

    @Test(
        "An interrupted creation of a store is completed at the next opening",
        .onlySQLite("a file that can be cut off"), arguments: [0, 1])
    func cutOff(stage: Int) async throws {
        let temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path)
        if stage == 0 {
            try Data().write(to: URL(fileURLWithPath: directory.storePath))
        } else {
            try StoreEngines.standard.openWriter(directory).close()
        }
        let fixture = try StoreFixture(.lists(), sortIndexes: [], in: temporary)
        try await fixture.insert(Animal(name: "Okapi"))
        #expect(try await fixture.store.pragma("auto_vacuum") == "2")
    }

    @Test(
        "A file that is not a database is rejected with its path and left unchanged",
        .onlySQLite("a file that can be damaged"))
    func noDatabase() throws {
        let temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path)
        let garbage = Data(repeating: 65, count: 5000)
        try garbage.write(to: URL(fileURLWithPath: directory.storePath))
        let error = #expect(throws: StoreOpenError.self) {
            try Store(directory: directory, schema: .lists(), sortIndexes: [])
        }
        #expect(error == .unreadable(path: directory.storePath))
        #expect(error?.description.contains(directory.storePath) == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.storePath)) == garbage)
        #expect(throws: StoreOpenError.unreadable(path: directory.storePath)) {
            try ReaderPool.patient(directory, .lists())
        }
    }

    private func create(at path: String, _ statements: String...) throws {
        let connection = try SQLiteConnection(
            path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, busyTimeoutInMilliseconds: 0
        )
        for statement in statements { try connection.run(statement) }
        connection.close()
    }
}
