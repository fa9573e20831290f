/// What a server of our own says of itself, over the time that counts.
struct ServerFigures: Sendable {
    struct Member: Sendable, Hashable, Encodable {
        let process: String
        /// Of processors.
        let processorSeconds: Double
        /// The most that was seen, in bytes.
        let mostMemory: Double
    }

    let members: [Member]
    /// Transactions that reached the disk, and the change sets in them.
    let flushes: Double
    let changeSets: Double
    /// What a transaction took to reach the disk, in milliseconds: on average, and below which 99 of 100 were.
    let meanFlush: Double?
    let mostFlush: Double?
    /// Upper bounds of the sizes of batches, each with how many were no larger and larger than the one before.
    let batchSizes: [BatchSize]
    /// As the store has opened its file.
    let durability: String
    /// Of Swift, SQLite or whatever else the server names.
    let versions: [String: String]

    struct BatchSize: Sendable, Hashable, Encodable {
        /// Change sets; nil for more than any bound.
        let upTo: Double?
        let count: Double
    }

    var processorSeconds: Double { members.reduce(0) { $0 + $1.processorSeconds } }
    var mostMemory: Double { members.reduce(0) { $0 + $1.mostMemory } }
    /// Change sets that shared one flush.
    var meanBatch: Double? { flushes > 0 ? changeSets / flushes : nil }
}
