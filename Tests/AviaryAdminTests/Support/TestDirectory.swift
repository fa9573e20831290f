import Foundation
import Synchronization
import TestSupport

/// A directory for one test. It is removed with the last reference to it.
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

    /// Returns a path inside the directory.
    func path(_ name: String) -> String { path + "/" + name }

    func file(_ name: String, _ content: [UInt8]) throws -> String {
        try Data(content).write(to: URL(filePath: path(name)))
        return path(name)
    }
}

/// Names and texts that are different in each test and contain nothing random.
enum Unique {
    private static let counter = Atomic(0)

    /// Returns a name that no other test uses.
    ///
    /// All names have the same number of digits, so that none is a prefix of another.
    static func name(_ prefix: String) -> String {
        prefix + String(format: "%05d", counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Returns a text that cannot be compressed; the same text for the same stream.
    static func noise(_ count: Int, stream: UInt64 = 0) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        var generator = TestSeed.generator(stream)
        return String((0..<count).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }
}
