import AviaryDomain

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
