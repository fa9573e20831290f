import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import AviaryData

@Suite("Uploaded import files")
struct ImportFolderTests {
    private let directory = TemporaryDirectory()
    private var folder: ImportFolder { ImportFolder(data: directory.path) }

    init() throws {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    }

    private func keep(_ text: String, by account: String = "ada", for model: String = "Site") async throws -> String {
        let rest = Mutex<[UInt8]?>(Array(text.utf8))
        return try await folder.keep(by: account, for: model) {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
    }

    private func setAge(_ age: TimeInterval, of id: String) throws {
        let file = try #require(files().first { $0.hasSuffix(id) })
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: directory.path + "/" + file)
    }

    private func files() -> [String] {
        let all = FileManager.default.enumerator(atPath: directory.path)?.allObjects as? [String] ?? []
        return all.filter { $0.split(separator: "/").count > 2 }
    }

    @Test("Only the account that uploaded a file can find the file, and only for its model")
    func owner() async throws {
        let id = try await keep("code\na\n")
        #expect(try await folder.file(id, of: "ada", for: "Site")?.columns() == ["code"])
        #expect(await folder.file(id, of: "bo", for: "Site") == nil)
        #expect(await folder.file(id, of: "ada", for: "Specimen") == nil)
        for name in ["", "../" + id, id + "/", String(id.dropLast()), id.uppercased() + "x"] {
            #expect(await folder.file(name, of: "ada", for: "Site") == nil)
        }
    }

    @Test("A file can be taken once and is removed after reading")
    func taken() async throws {
        let id = try await keep("code\na\n")
        var source = folder.take(id, of: "ada", for: "Site")
        #expect(try source?.columns() == ["code"])
        #expect(folder.take(id, of: "ada", for: "Site") == nil)
        #expect(await folder.file(id, of: "ada", for: "Site") == nil)
        source = nil
        #expect(files().isEmpty)
    }

    @Test("An empty, oversized or cancelled upload is rejected and leaves no file")
    func refused() async throws {
        await #expect(throws: ImportFileError.empty) { try await keep("") }
        let part = [UInt8](repeating: 65, count: 1 << 20)
        var bounds = ImportFolder.Bounds()
        bounds.size = 3 << 20
        let small = ImportFolder(data: directory.path, bounds: bounds)
        await #expect(throws: ImportFileError.tooLarge(limit: 3 << 20)) {
            _ = try await small.keep(by: "ada", for: "Site") { part }
        }
        // No disk has so much free space.
        (bounds.size, bounds.part, bounds.free) = (.max, 1 << 20, .max)
        let full = ImportFolder(data: directory.path, bounds: bounds)
        await #expect(throws: ImportFileError.unwritable) {
            _ = try await full.keep(by: "ada", for: "Site") { part }
        }
        await #expect(throws: CancellationError.self) {
            try await folder.keep(by: "ada", for: "Site") { throw CancellationError() }
        }
        #expect(files().isEmpty)
    }

    @Test("A sixth upload of an account for a model removes the oldest file and no other")
    func oldest() async throws {
        let others = [try await keep("code\n", by: "bo"), try await keep("code\n", for: "Specimen")]
        let importing = try await keep("code\n")
        let taken = folder.take(importing, of: "ada", for: "Site")
        var ids: [String] = []
        for age in [300.0, 500, 400, 200, 100] {
            ids.append(try await keep("code\n"))
            try setAge(age, of: ids[ids.count - 1])
        }
        await #expect(throws: ImportFileError.empty) { try await keep("") }
        ids.append(try await keep("code\n"))
        var found: [Bool] = []
        for id in ids { found.append(await folder.file(id, of: "ada", for: "Site") != nil) }
        #expect(found == [true, false, true, true, true, true])
        #expect(await folder.file(others[0], of: "bo", for: "Site") != nil)
        #expect(await folder.file(others[1], of: "ada", for: "Specimen") != nil)
        #expect(try taken?.columns() == ["code"])
    }

    @Test("Beyond the size that the files of an account may have together, only the newest remains")
    func together() async throws {
        var bounds = ImportFolder.Bounds()
        bounds.together = 20
        let first = try await keep("code\n"), second = try await keep("code\n0123456789\n")
        // Two files with the same date have no order.
        try setAge(200, of: first)
        try setAge(100, of: second)
        let rest = Mutex<[UInt8]?>(Array("code\n01234\n".utf8))
        let third = try await ImportFolder(data: directory.path, bounds: bounds).keep(by: "ada", for: "Site") {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
        var found: [Bool] = []
        for id in [first, second, third] { found.append(await folder.file(id, of: "ada", for: "Site") != nil) }
        #expect(found == [false, false, true])
    }

    @Test("What an upload of a killed process left is removed with the next upload")
    func abandoned() async throws {
        let id = try await keep("code\n")
        let file = directory.path + "/" + (try #require(files().first { $0.hasSuffix(id) })) + ".partial"
        #expect(FileManager.default.createFile(atPath: file, contents: Data("code".utf8)))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: file)
        _ = try await keep("code\n", by: "bo")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("A file expires after an hour and is removed with the next upload or lookup")
    func expired() async throws {
        let id = try await keep("code\na\n")
        let file = try #require(files().first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: directory.path + "/" + file)
        let next = try await keep("code\n", by: "bo")
        #expect(files().count == 1 && files().first?.hasSuffix(next) == true)
        let other = try #require(files().first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: directory.path + "/" + other)
        #expect(await folder.file(id, of: "ada", for: "Site") == nil)
        #expect(await folder.file(next, of: "bo", for: "Site") == nil)
        #expect(files().isEmpty)
    }

    @Test("The files are private to the user of the process")
    func permissions() async throws {
        _ = try await keep("code\n")
        let file = try #require(files().first)
        #expect(
            try FileManager.default.attributesOfItem(atPath: directory.path + "/" + file)[.posixPermissions] as? Int
                == 0o600)
        #expect(
            try FileManager.default.attributesOfItem(atPath: directory.path + "/imports")[.posixPermissions] as? Int
                == 0o700)
    }
}
