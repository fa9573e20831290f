import Foundation

/// A directory for one test. Every process that a test starts has its path in its arguments.
struct TestDirectory: Sendable {
    let path: String

    private init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "aviary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    var data: String { path("data") }

    /// Returns a path inside the directory.
    func path(_ name: String) -> String { path + "/" + name }

    /// Runs the body with a new directory, and removes what is left: first the processes, then the files.
    static func use(_ body: (TestDirectory) async throws -> Void) async throws {
        let directory = try TestDirectory()
        defer {
            for process in ProcessTable.mentioning(directory.path) { kill(process.pid, SIGKILL) }
            // The system cleans its temporary directory as well.
            try? FileManager.default.removeItem(atPath: directory.path)
        }
        try await body(directory)
    }
}
