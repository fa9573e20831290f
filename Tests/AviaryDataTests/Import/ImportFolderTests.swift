@testable import AviaryData
import AviaryDomain
import Foundation
import Synchronization
import Testing

@Suite("Files that are brought to be imported")
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

    private func files() -> [String] {
        let all = FileManager.default.enumerator(atPath: directory.path)?.allObjects as? [String] ?? []
        return all.filter { $0.split(separator: "/").count > 2 }
    }

    @Test("One has it who brought it, for the model that it was brought for, and nobody else")
    func owner() async throws {
        let id = try await keep("code\na\n")
        #expect(try await folder.file(id, of: "ada", for: "Site")?.columns() == ["code"])
        #expect(await folder.file(id, of: "bo", for: "Site") == nil)
        #expect(await folder.file(id, of: "ada", for: "Specimen") == nil)
        for name in ["", "../" + id, id + "/", String(id.dropLast()), id.uppercased() + "x"] {
            #expect(await folder.file(name, of: "ada", for: "Site") == nil)
        }
    }

    @Test("It is taken once, and goes when it was read")
    func taken() async throws {
        let id = try await keep("code\na\n")
        var source = await folder.take(id, of: "ada", for: "Site")
        #expect(try source?.columns() == ["code"])
        #expect(await folder.take(id, of: "ada", for: "Site") == nil)
        #expect(await folder.file(id, of: "ada", for: "Site") == nil)
        source = nil
        #expect(files().isEmpty)
    }

    @Test("What is empty, too large or one too many is refused, and leaves nothing")
    func refused() async throws {
        await #expect(throws: ImportFileError.empty) { try await keep("") }
        let part = [UInt8](repeating: 65, count: 1 << 20)
        await #expect(throws: ImportFileError.tooLarge(limit: 16 << 20)) { try await folder.keep(by: "ada", for: "Site") { part } }
        await #expect(throws: CancellationError.self) { try await folder.keep(by: "ada", for: "Site") { throw CancellationError() } }
        #expect(files().isEmpty)
        for _ in 0..<5 { _ = try await keep("code\n") }
        await #expect(throws: ImportFileError.tooMany) { try await keep("code\n") }
        #expect(files().count == 5)
    }

    @Test("After an hour nobody finds it, and the next one that is brought removes it")
    func expired() async throws {
        let id = try await keep("code\na\n")
        let file = try #require(files().first)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: directory.path + "/" + file)
        #expect(await folder.file(id, of: "ada", for: "Site") == nil)
        let next = try await keep("code\n", by: "bo")
        #expect(files().count == 1 && files().first?.hasSuffix(next) == true)
    }

    @Test("Nobody else on the machine reads them")
    func permissions() async throws {
        _ = try await keep("code\n")
        let file = try #require(files().first)
        #expect(try FileManager.default.attributesOfItem(atPath: directory.path + "/" + file)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.attributesOfItem(atPath: directory.path + "/imports")[.posixPermissions] as? Int == 0o700)
    }
}
