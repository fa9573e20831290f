import AviaryDomain
import Foundation

/// The schemas of stores that are not in use: one that a restore builds, or one that a restore has replaced.
///
/// The comment of such a schema says which it is, so that the next start removes those that nobody uses any more. A schema takes
/// the name of a store without its comment.
enum PostgreSQLSchemas {
    static let buildPrefix = "aviary_build_"

    static func built(at path: String) -> String { "aviary build\n\(ProcessInfo.processInfo.hostName)\n\(path)" }

    /// The comment of a schema that a restore has replaced. The next start does not remove it, because it may be all that is left.
    static func replaced(at path: String) -> String { "aviary replaced\n\(ProcessInfo.processInfo.hostName)\n\(path)" }

    static func comment(_ text: String?, on schema: String) -> String {
        "COMMENT ON SCHEMA \(PostgreSQLDialect.quoted(schema)) IS \(text.map(PostgreSQLDialect.literal) ?? "NULL")"
    }

    static let commented = """
        SELECT nspname::text, obj_description(oid, 'pg_namespace') FROM pg_namespace \
        WHERE obj_description(oid, 'pg_namespace') LIKE 'aviary %' AND pg_has_role(nspowner, 'USAGE')
        """
}

extension PostgreSQLConnection {
    /// Removes the schemas of this host's restores that were given up.
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
        let lines = comment.split(separator: "\n", maxSplits: 2)
        guard lines.count == 3, lines[0] == "aviary build", lines[1] == ProcessInfo.processInfo.hostName else {
            return false
        }
        // The directory of a restore exists as long as the restore.
        let directory = URL(filePath: String(lines[2])).deletingLastPathComponent().path
        return access(directory, F_OK) != 0 && errno == ENOENT
    }
}

/// The table of the engine itself: a single row with the layout of the store and the turn of its writers.
///
/// Each transaction that writes begins with the next turn. The lock of the row lets one writer in at a time, of whichever
/// host, and the number tells whether another has been in between.
enum PostgreSQLStoreTable {
    static let name = "aviary_store"
    /// The statements that create the table. A layout of 0 is that of a store that was not created yet.
    static let creation = [
        """
        CREATE TABLE IF NOT EXISTS \(name) (sole boolean PRIMARY KEY CHECK (sole), layout bigint NOT NULL, \
        turn bigint NOT NULL, holder text, held_until timestamptz)
        """,
        "INSERT INTO \(name) (sole, layout, turn) SELECT true, 0, 1 ON CONFLICT DO NOTHING",
    ]
    /// The number of the advisory lock with which one host at a time creates the table: the bytes of "aviary".
    static let creationLock = 0x6176_6961_7279
    static let marking = "UPDATE \(name) SET layout = ?"
    static let layout = "SELECT layout FROM \(name)"
    /// The statement that lets all writers and readers end their transactions, and lets no other begin: each uses one of these
    /// tables first. A table of this name that a waiting statement finds afterwards is that of the new store.
    static let lockOutOthers = "LOCK TABLE \(name), aviary_meta IN ACCESS EXCLUSIVE MODE"

    /// Returns the statement that takes the next turn. It finds no row while another holder keeps others out.
    static func nextTurn(of holder: String) -> String {
        """
        UPDATE \(name) SET turn = turn + 1 \
        WHERE holder IS NULL OR holder = '\(holder)' OR held_until < clock_timestamp() RETURNING turn
        """
    }

    static func hold(by holder: String, forMilliseconds duration: Int64) -> String {
        "UPDATE \(name) SET holder = '\(holder)', "
            + "held_until = clock_timestamp() + \(duration) * interval '1 millisecond'"
    }

    static func release(by holder: String) -> String {
        "UPDATE \(name) SET holder = NULL, held_until = NULL WHERE holder = '\(holder)'"
    }
}
