import Synchronization

/// The newest timeline of the database that this process has met, which tells a former primary from its successor.
///
/// A cluster that fails over begins a new timeline. A primary that hung meanwhile resumes on the old one, and answers reads with
/// the state from before the failover until it notices. A process that has met the successor does not read from it again.
final class PostgreSQLTimelines: Sendable {
    /// A cluster and its timeline, of a server that accepts changes.
    struct Position: Equatable {
        /// The identifier that all servers of the cluster have, which another cluster does not have.
        let cluster: String
        let timeline: Int64

        static let query = """
            SELECT (SELECT system_identifier FROM pg_control_system()) || ' ' || \
            ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint \
            WHERE NOT pg_is_in_recovery()
            """

        init(cluster: String, timeline: Int64) {
            self.cluster = cluster
            self.timeline = timeline
        }

        /// Reads the result of ``query``; nil for a text that is none.
        init?(_ text: String) {
            let words = text.split(separator: " ")
            guard words.count == 2, let timeline = Int64(words[1]) else { return nil }
            self.init(cluster: String(words[0]), timeline: timeline)
        }
    }

    private let newest = Mutex<Position?>(nil)

    /// Notes the timeline of a server.
    ///
    /// - Returns: A Boolean value that indicates whether the server may be used: it is not a former primary. Another cluster, such as
    ///   one after an upgrade, takes the place of the known one.
    func accept(_ position: Position) -> Bool {
        newest.withLock { newest in
            if let known = newest, known.cluster == position.cluster, position.timeline < known.timeline {
                return false
            }
            newest = position
            return true
        }
    }

    /// Returns whether a connection can still be used; true if its position is not known.
    func isCurrent(_ position: Position?) -> Bool {
        guard let position else { return true }
        return newest.withLock { newest in
            newest.map { position.cluster == $0.cluster && position.timeline >= $0.timeline } ?? true
        }
    }
}
