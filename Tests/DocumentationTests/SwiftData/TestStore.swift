import Aviary
import Foundation

/// Calls a closure with a store of the zoo in a temporary directory.
func withZoo(_ body: (AviaryStore) async throws -> Void) async throws {
    try await withDataDirectory { data in
        try await Zoo.withStore(data: data, as: "Ada", createsStore: true) { try await body($0) }
    }
}

/// Calls a closure with the path of a data directory, which does not exist yet and is removed afterwards.
func withDataDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "aviary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }  // the system cleans its temporary directory too
    try await body(directory.appending(path: "data").path)
}
