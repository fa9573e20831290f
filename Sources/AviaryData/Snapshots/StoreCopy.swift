import AviaryDomain
import Foundation

/// One committed point of a store, which goes on meanwhile.
struct StoreCopy {
    let connection: any Connection
    let tables: ModelTables

    /// The store itself, as long as the body runs: nothing is copied, and the write-ahead log is not shortened until it ends. So
    /// for what ends by itself, such as a snapshot at a low level or an export to a file; while one is written to a slow disk the log
    /// grows with what is saved, up to a bound. What waits for somebody, such as a pipe, takes a copy.
    ///
    /// - Throws: ``ReadError/heldLog`` when the log has reached the bound; it can be tried again, or with a copy.
    static func reading<Value>(
        _ directory: DataDirectory, schema: Schema, engine: any StoreEngine, logBound: LogBound = LogBound(),
        _ body: (StoreCopy) throws -> Value
    ) throws -> Value {
        let log = LogFile(of: directory, bound: logBound)
        guard !log.isTooLargeToBegin else { throw ReadError.heldLog }
        let connection = try engine.openReader(directory)
        defer { connection.close() }
        let interruption = Interruption()
        let watch = LogWatch(log, ending: interruption)
        connection.beginWork(within: Self.longestReading, unless: interruption)
        defer { connection.endWork() }
        do {
            return try connection.snapshot {
                try StoreLayout.checkIdentity(of: connection)
                try StoreLayout.check(schema, againstFileOf: connection)
                return try body(StoreCopy(connection: connection, tables: ModelTables(schema, engine.dialect)))
            }
        } catch let error as EngineError where error.kind == .interrupted && watch.hasEndedRead {
            throw ReadError.heldLog
        }
    }

    /// It is the log's size that ends one; a file of any size takes less.
    private static let longestReading: Duration = .seconds(24 * 3600)

    private init(connection: any Connection, tables: ModelTables) {
        self.connection = connection
        self.tables = tables
    }

    /// - Parameter otherWay: A sentence: what can be done instead where there is no room for the copy.
    /// - Throws: ``StoreOpenError`` when there is no store, or it has other models; ``FileError`` when there is no room for the copy;
    ///   ``EngineError``.
    init(
        of directory: DataDirectory, schema: Schema, in working: WorkingDirectory, engine: any StoreEngine,
        otherWay: String? = nil
    ) throws {
        do {
            connection = try engine.copyStore(of: directory, to: working.path + "/copy.sqlite") { store in
                try StoreLayout.checkIdentity(of: store)
                // A model that only the file has would be missing from the snapshot.
                try StoreLayout.check(schema, againstFileOf: store)
            }
        } catch let error as EngineError where error.kind == .outOfSpace {
            throw FileError(
                path: directory.snapshotsPath,
                reason: "has no room for a copy of the store, which is read instead of it: its disk is full.",
                advice: "Free as much space there as \(directory.storePath) takes." + (otherWay.map { " " + $0 } ?? "")
            )
        }
        tables = ModelTables(schema, engine.dialect)
    }
}
