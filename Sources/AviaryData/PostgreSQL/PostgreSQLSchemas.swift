import AviaryDomain
import Foundation

/// The schemas of stores that are not in use: one that a restore builds, or one that a restore has replaced.
///
/// The comment of such a schema says which it is, so that the next start removes those that nobody uses any more. A schema takes
/// the name of a store without its comment.
enum PostgreSQLSchemas {
    static let buildPrefix = "aviary_build_"
    static let oldPrefix = "aviary_old_"

    static func built(at path: String) -> String { "aviary build\n\(ProcessInfo.processInfo.hostName)\n\(path)" }
    static func replaced(_ schema: String) -> String { "aviary old\n\(schema)" }

    static func comment(_ text: String?, on schema: String) -> String {
        "COMMENT ON SCHEMA \(PostgreSQLDialect.quoted(schema)) IS \(text.map(PostgreSQLDialect.literal) ?? "NULL")"
    }

    static let commented = """
        SELECT nspname::text, obj_description(oid, 'pg_namespace') FROM pg_namespace \
        WHERE obj_description(oid, 'pg_namespace') LIKE 'aviary %' AND pg_has_role(nspowner, 'USAGE')
        """
}

extension PostgreSQLConnection {
    /// Removes the schemas of this host's restores that were given up, and those that restores of this store have replaced.
    ///
    /// An error, such as that of another host that removes the same, is left to the next start.
    func removeAbandonedSchemas() {
        // A server that does not answer is asked again by the next start.
        let found = try? rows(PostgreSQLSchemas.commented) { ($0.text(0) ?? "", $0.text(1) ?? "") }
        for (name, comment) in found ?? [] where name != schema && isAbandoned(comment) {
            // Another host may remove the same schema.
            _ = try? run("DROP SCHEMA IF EXISTS \(PostgreSQLDialect.quoted(name)) CASCADE")
        }
    }

    private func isAbandoned(_ comment: String) -> Bool {
        if comment == PostgreSQLSchemas.replaced(schema) { return true }
        let lines = comment.split(separator: "\n", maxSplits: 2)
        guard lines.count == 3, lines[0] == "aviary build", lines[1] == ProcessInfo.processInfo.hostName else {
            return false
        }
        // The directory of a restore exists as long as the restore.
        let directory = URL(filePath: String(lines[2])).deletingLastPathComponent().path
        return access(directory, F_OK) != 0 && errno == ENOENT
    }
}
