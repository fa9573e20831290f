import Foundation

/// A directory that goes with its last user.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/aviary-data-" + UUID().uuidString
    }

    deinit {
        // Some tests never create it.
        try? FileManager.default.removeItem(atPath: path)
    }
}
