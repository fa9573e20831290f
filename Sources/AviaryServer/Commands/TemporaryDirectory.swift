import AviaryDomain
import Foundation

/// A directory of its own that goes when its user goes.
struct TemporaryDirectory: Sendable {
    let path: String

    init(prefix: String) throws(DataDirectoryError) {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("\(prefix)-\(UUID().canonicalText)").path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DataDirectoryError(
                path: path, reason: "cannot be created.", advice: "Check that the temporary directory can be written.")
        }
    }

    func remove() {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Terminal.say("The temporary directory \(path) could not be removed.")
        }
    }
}
