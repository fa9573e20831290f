import Foundation
import Synchronization
import TestSupport

/// A directory of its own for one test, removed with the last reference to it.
final class TestDirectory: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "aviary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // the system cleans its temporary directory too
    }

    /// A path inside of it.
    func path(_ name: String) -> String { path + "/" + name }

    func file(_ name: String, _ content: [UInt8]) throws -> String {
        try Data(content).write(to: URL(filePath: path(name)))
        return path(name)
    }
}

/// Names and texts that keep tests apart and have nothing random in them.
enum Unique {
    private static let counter = Atomic(0)

    /// A name that no other test gives, with the same number of digits as every other: none begins another one.
    static func name(_ prefix: String) -> String {
        prefix + String(format: "%05d", counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// What no compression makes short; the same for the same stream.
    static func noise(_ count: Int, stream: UInt64 = 0) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        var generator = TestSeed.generator(stream)
        return String((0..<count).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }
}
