import AviaryDomain

/// The table of the engine itself: a single row with the layout of the store and the turn of its writers.
///
/// Each transaction that writes begins with the next turn. The lock of the row lets one writer in at a time, of whichever
/// host, and the number tells whether another has been in between.
enum PostgreSQLStoreTable {
    static let name = "aviary_store"
    static let creation = "CREATE TABLE \(name) (layout bigint NOT NULL, turn bigint NOT NULL)"
    static let insertion = "INSERT INTO \(name) (layout, turn) SELECT ?, 1"
    static let nextTurn = "UPDATE \(name) SET turn = turn + 1 RETURNING turn"
    static let layout = "SELECT layout FROM \(name)"
    /// The statement that lets all transactions that read end, and lets no other begin: each reads this table first.
    static let lockOutReaders = "LOCK TABLE aviary_meta IN ACCESS EXCLUSIVE MODE"
}
