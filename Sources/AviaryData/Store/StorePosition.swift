import AviaryDomain

/// How far the store is: what the next commit goes on from.
struct StorePosition: Sendable, Hashable {
    static let start = StorePosition(commit: 0, nextChange: 1, historySize: 0)

    /// The number of the last change set.
    var commit: Int64
    /// The number that the next entry of the history gets.
    var nextChange: Int64
    /// What the history takes, in bytes.
    var historySize: Int
}

extension StorePosition {
    /// Further than any store comes, and far enough from the end of all numbers that the next ones are never missing.
    private static let possible: ClosedRange<Int64> = 0...1 << 62

    /// Nil when the file does not tell, or tells what no store comes to.
    static func read(from connection: any Connection) throws -> StorePosition? {
        guard case .integer(let commit) = try MetaTable.value(.commit, in: connection),
            case .integer(let nextChange) = try MetaTable.value(.nextChange, in: connection),
            case .integer(let historySize) = try MetaTable.value(.historySize, in: connection),
            [commit, nextChange, historySize].allSatisfy(possible.contains)
        else { return nil }
        return StorePosition(commit: commit, nextChange: nextChange, historySize: Int(historySize))
    }

    func write(to connection: any Connection) throws(EngineError) {
        try MetaTable.set(.commit, to: .integer(commit), in: connection)
        try MetaTable.set(.nextChange, to: .integer(nextChange), in: connection)
        try MetaTable.set(.historySize, to: .integer(Int64(historySize)), in: connection)
    }
}
