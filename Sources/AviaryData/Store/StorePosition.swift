import AviaryDomain

/// The position of the store, from which the next commit continues.
struct StorePosition: Sendable, Hashable {
    static let start = StorePosition(commit: 0, nextChange: 1, historySize: 0)

    /// The number of the last change set.
    var commit: Int64
    /// The number that the next entry of the history gets.
    var nextChange: Int64
    /// The size of the history, in bytes.
    var historySize: Int
}

extension StorePosition {
    /// The commit numbers that are accepted. They end far enough before the largest number that the next ones exist.
    private static let possible: ClosedRange<Int64> = 0...1 << 62

    /// Returns the position of the file; nil when the file does not contain it or its number is impossible.
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
