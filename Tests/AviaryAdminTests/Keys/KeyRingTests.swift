import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Keys of a data directory")
struct KeyRingTests {
    private let directory: TestDirectory
    private var keys: String { directory.path("keys") }

    init() throws {
        directory = try TestDirectory()
    }

    @Test("The first start creates one key that only its owner can read")
    func created() throws {
        #expect(try KeyRing(directory: keys).keys.count == 1)
        #expect(try permissions(keys) == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: keys)
        #expect(files.count == 1)
        for file in files { #expect(try permissions(keys + "/" + file) == 0o600) }
    }

    @Test("The next start uses the same key and creates no other")
    func reused() throws {
        let first = try KeyRing(directory: keys)
        let second = try KeyRing(directory: keys)
        #expect(second.current.id == first.current.id)
        #expect(second.current.derived(for: "a") == first.current.derived(for: "a"))
        #expect(second.keys.count == 1)
    }

    @Test("Two data directories have different keys")
    func different() throws {
        let other = try TestDirectory()
        let (one, two) = (try KeyRing(directory: keys), try KeyRing(directory: other.path("keys")))
        #expect(one.current.derived(for: "a") != two.current.derived(for: "a"))
    }

    @Test("Each purpose has its own derived key")
    func purposes() throws {
        let key = try KeyRing(directory: keys).current
        #expect(key.derived(for: "csrf") != key.derived(for: "draft seal"))
    }

    @Test("The newest key that all processes know is current, and all keys are loaded")
    func youngest() throws {
        _ = try KeyRing(directory: keys, now: { Date(timeIntervalSince1970: 1000) })
        try write("\(KeyID(seconds: 5000).hexadecimal).key")
        try write("\(KeyID(seconds: 9000).hexadecimal).key")
        for (time, expected) in [(1000, 1000), (5009, 1000), (5010, 5000), (8999, 5000), (9010, 9000), (99_999, 9000)] {
            let ring = try KeyRing(directory: keys, now: { Date(timeIntervalSince1970: TimeInterval(time)) })
            #expect(ring.current.id == KeyID(seconds: UInt32(expected)), "at \(time)")
            #expect(ring.keys.map(\.id) == [1000, 5000, 9000].map { KeyID(seconds: $0) })
        }
    }

    @Test("A damaged key is skipped, reported once and not replaced", arguments: [0, 31, 33])
    func damaged(count: Int) throws {
        let first = try KeyRing(directory: keys).current.id
        try write("00000001.key", count: count)
        let problems = Mutex<[DataDirectoryError]>([])
        let ring = try KeyRing(
            directory: keys, interval: .zero, report: { problem in problems.withLock { $0.append(problem) } })
        for _ in 0..<3 { #expect(ring.keys.map(\.id) == [first]) }
        let reported = problems.withLock { $0 }
        #expect(reported.count == 1)
        #expect(reported.first?.path.hasSuffix("00000001.key") == true)
        #expect(reported.first?.advice.isEmpty == false)
        #expect(try Data(contentsOf: URL(filePath: keys + "/00000001.key")).count == count)
    }

    @Test("Without a readable key, the start fails with the file's name and creates no key")
    func allDamaged() throws {
        try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: false)
        try write("00000001.key", count: 31)
        let error = #expect(throws: DataDirectoryError.self) { try KeyRing(directory: keys) }
        #expect(error?.path.hasSuffix("00000001.key") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: keys) == ["00000001.key"])
    }

    @Test("Pipes, directories and devices with a key's name do not block", .timeLimit(.minutes(Patience.minutes)))
    func pipe() throws {
        let ring = try KeyRing(directory: keys, interval: .zero)
        mkfifo(keys + "/00000001.key", 0o600)
        try FileManager.default.createDirectory(atPath: keys + "/00000002.key", withIntermediateDirectories: false)
        symlink("/dev/zero", keys + "/00000003.key")
        #expect(ring.keys.count == 1)
        #expect(try KeyRing(directory: keys).keys.map(\.id) == ring.keys.map(\.id))
    }

    @Test(
        "Files with other names are ignored",
        arguments: [
            "README", "1234567.key", "zzzzzzzz.key", "00000001.key.old", "00000001.key.4711", "+0000001.key",
            "0000000A.key",
        ])
    func otherFiles(name: String) throws {
        _ = try KeyRing(directory: keys)
        try write(name, count: 3)
        #expect(try KeyRing(directory: keys).keys.count == 1)
    }

    @Test("A directory that cannot be created is an error with advice")
    func impossible() throws {
        let file = try directory.file("file", [])
        let error = #expect(throws: DataDirectoryError.self) { try KeyRing(directory: file + "/keys") }
        #expect(error?.advice.isEmpty == false)
    }

    private func write(_ name: String, count: Int = 32) throws {
        try Data((0..<count).map { UInt8($0) }).write(to: URL(filePath: keys + "/" + name))
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
