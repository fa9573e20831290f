package import Foundation

/// The models, properties and relations that the next deploy may drop, with all their values.
///
/// `migrate --drop NAME --on-deploy` writes them beside a running server, and both the question to the new program and
/// its store read them. They apply for an hour, so that a forgotten permission drops nothing later.
package struct ApprovedDrops: Codable, Sendable, Hashable {
    /// The time for which the permission applies, in seconds.
    static let lifetime: TimeInterval = 3600

    let names: Set<String>
    let approvedAt: Date

    /// Returns the path of the file in a data directory.
    package static func path(in directory: String) -> String { directory + "/drop-on-deploy.json" }

    /// Returns the names that a deploy may drop now; none when there is no permission, or only an old one.
    ///
    /// - Parameters:
    ///   - directory: The data directory.
    ///   - now: The current time.
    package static func names(in directory: String, at now: Date = Date()) -> Set<String> {
        guard let data = FileManager.default.contents(atPath: path(in: directory)),
            // Without a readable permission nothing is dropped.
            let drops = try? JSONDecoder().decode(ApprovedDrops.self, from: data),
            (0...lifetime).contains(now.timeIntervalSince(drops.approvedAt))
        else { return [] }
        return drops.names
    }

    /// Permits the next deploy to drop the names. An earlier permission is replaced.
    ///
    /// - Throws: `CocoaError` when the file cannot be written.
    package static func approve(_ names: Set<String>, in directory: String, at now: Date = Date()) throws {
        let path = path(in: directory), temporary = path + ".new"
        unlink(temporary)
        let data = try JSONEncoder().encode(ApprovedDrops(names: names, approvedAt: now))
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: data, attributes: [.posixPermissions: 0o600]),
            rename(temporary, path) == 0
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Withdraws the permission, if there is one.
    package static func withdraw(in directory: String) {
        unlink(path(in: directory))
    }
}
