import AviaryDomain

/// The mark that a store is open. A store that finds it when it opens follows one that had no time to close.
///
/// On disk before the first change set, and not written again until the store closes.
enum OpenMark {
    static func isSet(in connection: any Connection) throws -> Bool {
        try MetaTable.value(.open, in: connection) == .integer(1)
    }

    static func set(in connection: any Connection) throws(EngineError) {
        try MetaTable.set(.open, to: .integer(1), in: connection)
    }

    static func clear(in connection: any Connection) throws(EngineError) {
        try MetaTable.set(.open, to: .integer(0), in: connection)
    }
}
