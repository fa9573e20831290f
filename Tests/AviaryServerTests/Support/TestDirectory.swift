import Foundation

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
