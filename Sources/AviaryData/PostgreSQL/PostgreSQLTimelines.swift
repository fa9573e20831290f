import Synchronization

/// The newest timeline of the database that this process has met, which tells a former primary from its successor.
///
/// A cluster that fails over begins a new timeline. A primary that hung meanwhile resumes on the old one, and answers reads with
/// the state from before the failover until it notices. A process that has met the successor does not read from it again.
final class PostgreSQLTimelines: Sendable {
    /// The timeline of a server that accepts changes. Times are in seconds since 1970, by the clock of the server.
    struct Position {
        let timeline: Int64
        /// The time at which the server was started.
        let start: Double
        let now: Double

        static let query = """
            SELECT concat_ws(' ', ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint, \
            extract(epoch FROM pg_postmaster_start_time()), extract(epoch FROM clock_timestamp())) \
            WHERE NOT pg_is_in_recovery()
            """

        /// Reads the result of ``query``; nil for a text that is none.
        init?(_ text: String) {
            let words = text.split(separator: " ")
            guard words.count == 3, let timeline = Int64(words[0]), let start = Double(words[1]),
                let now = Double(words[2])
            else { return nil }
            self.init(timeline: timeline, start: start, now: now)
        }

        init(timeline: Int64, start: Double, now: Double) {
            self.timeline = timeline
            self.start = start
            self.now = now
        }
    }

    private let newest = Mutex<Position?>(nil)

    /// Notes the timeline of a server.
    ///
    /// - Returns: A Boolean value that indicates whether the server is not a former primary. A server that was started after the
    ///   newest timeline was met is not: it belongs to another cluster, such as one after an upgrade, whose timelines begin again.
    func accept(_ position: Position) -> Bool {
        newest.withLock { newest in
            if let known = newest, position.timeline <= known.timeline {
                if position.timeline == known.timeline { return true }
                guard position.start > known.now else { return false }
            }
            newest = position
            return true
        }
    }

    /// Returns whether a connection on a timeline can still be used; true if its timeline is not known.
    func isCurrent(_ timeline: Int64?) -> Bool {
        guard let timeline else { return true }
        return newest.withLock { $0.map { timeline >= $0.timeline } ?? true }
    }
}
