import AviaryDomain

/// Several reads of one state of the store. One that is interrupted leaves the state as it is for the others.
struct StateReads {
    fileprivate let reader: Reader

    init(reader: Reader) {
        self.reader = reader
    }

    /// - Throws: ``ReadError``, ``EngineError``, and what the body throws.
    func read<T>(within limit: Duration, _ body: (any Connection) throws -> T) throws -> T {
        try reader.read(within: limit, body)
    }
}

/// A read-only connection, each read of which has an end.
final class Reader {
    let connection: any ReaderConnection

    init(_ directory: DataDirectory, engine: any StoreEngine) throws {
        connection = try engine.openReader(directory)
    }

    /// - Throws: ``ReadError``, ``EngineError``, and what the body throws.
    func read<T>(
        within limit: Duration, unless interruption: Interruption? = nil, _ body: (any Connection) throws -> T
    ) throws -> T {
        connection.beginWork(within: limit, unless: interruption)
        defer { connection.endWork() }
        do {
            return try body(connection)
        } catch let error as EngineError where error.kind == .interrupted {
            throw interruption?.isRequested == true ? ReadError.cancelled : .tookTooLong(limit: limit)
        } catch let error as EngineError where error.kind == .busy {
            throw ReadError.storeBusy
        }
    }
}
