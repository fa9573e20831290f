import Foundation

/// A directory of its own for one test. Every process that a test starts carries its path in its arguments.
struct TestDirectory: Sendable {
    let path: String

    private init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "aviary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    var data: String { path("data") }

    /// A path inside of it.
    func path(_ name: String) -> String { path + "/" + name }

    /// Gives the body a new directory, and takes away what is left in the end: first the processes, then the files.
    static func use(_ body: (TestDirectory) async throws -> Void) async throws {
        let directory = try TestDirectory()
        defer {
            for process in ProcessTable.mentioning(directory.path) { kill(process.pid, SIGKILL) }
            // the system cleans its temporary directory too
            try? FileManager.default.removeItem(atPath: directory.path)
        }
        try await body(directory)
    }
}
