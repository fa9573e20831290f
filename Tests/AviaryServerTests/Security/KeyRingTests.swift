@testable import AviaryServer
import AviaryDomain
import Foundation
import Testing

@Suite("The keys of a data directory")
struct KeyRingTests {
    private let directory: TestDirectory
    private var keys: String { directory.path("keys") }

    init() throws {
        directory = try TestDirectory()
    }

    @Test("The first start makes one key, which its owner alone can read")
    func created() throws {
        #expect(try KeyRing(directory: keys).keys.count == 1)
        #expect(try permissions(keys) == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: keys)
        #expect(files.count == 1)
        for file in files { #expect(try permissions(keys + "/" + file) == 0o600) }
    }

    @Test("The next start finds the same key and makes no other")
    func reused() throws {
        let first = try KeyRing(directory: keys)
        let second = try KeyRing(directory: keys)
        #expect(second.current.id == first.current.id)
        #expect(second.current.derived(for: "a") == first.current.derived(for: "a"))
        #expect(second.keys.count == 1)
    }

    @Test("Two data directories share no key")
    func different() throws {
        let other = try TestDirectory()
        let (one, two) = (try KeyRing(directory: keys), try KeyRing(directory: other.path("keys")))
        #expect(one.current.derived(for: "a") != two.current.derived(for: "a"))
    }

    @Test("Each purpose has a key of its own")
    func purposes() throws {
        let key = try KeyRing(directory: keys).current
        #expect(key.derived(for: "csrf") != key.derived(for: "draft seal"))
    }

    @Test("The newest key seals, the older ones still open")
    func newest() throws {
        let first = try KeyRing(directory: keys)
        try write("00000001.key", count: 32)
        #expect(try KeyRing(directory: keys).current.id == first.current.id)
        try write("ffffffff.key", count: 32)
        let ring = try KeyRing(directory: keys)
        #expect(ring.current.id.hexadecimal == "ffffffff")
        #expect(ring.keys.map(\.id.hexadecimal) == ["00000001", first.current.id.hexadecimal, "ffffffff"])
    }

    @Test("A damaged key stops the start and says which file it is, instead of being replaced", arguments: [0, 31, 33])
    func damaged(count: Int) throws {
        _ = try KeyRing(directory: keys)
        try write("00000001.key", count: count)
        let error = #expect(throws: DataDirectoryError.self) { try KeyRing(directory: keys) }
        #expect(error?.path.hasSuffix("00000001.key") == true)
        #expect(error?.advice.isEmpty == false)
    }

    @Test("Files that are no keys are left alone", arguments: ["README", "1234567.key", "zzzzzzzz.key", "00000001.key.old"])
    func otherFiles(name: String) throws {
        _ = try KeyRing(directory: keys)
        try write(name, count: 3)
        #expect(try KeyRing(directory: keys).keys.count == 1)
    }

    @Test("A directory that cannot be made is told with advice")
    func impossible() throws {
        let file = try directory.file("file", [])
        let error = #expect(throws: DataDirectoryError.self) { try KeyRing(directory: file + "/keys") }
        #expect(error?.advice.isEmpty == false)
    }

    private func write(_ name: String, count: Int) throws {
        try Data((0..<count).map { UInt8($0) }).write(to: URL(filePath: keys + "/" + name))
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
