import Aviary
import Foundation

/// Calls a closure with a store of the zoo in a temporary directory.
func withZoo(_ body: (AviaryStore) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "aviary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }  // the system cleans its temporary directory too
    try await Zoo.withStore(data: directory.appending(path: "data").path, as: "Ada") { try await body($0) }
}
