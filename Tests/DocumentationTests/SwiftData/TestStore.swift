import Aviary
import Foundation

/// A store of the zoo in a directory of its own, for as long as the body runs.
func withZoo(_ body: (AviaryStore) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "aviary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }  // the system cleans its temporary directory too
    try await Zoo.withStore(data: directory.appending(path: "data").path, as: "Ada") { try await body($0) }
}
