package import AviaryDomain
import Foundation
import Synchronization

/// Read-only connections. Short reads use them in place on the caller's thread and never wait for one another: when all
/// are taken one more is opened. For long reads see ``readLong(timeLimit:_:)``.
package final class ReaderPool: Sendable {
    let aids: QueryAids
    /// By which properties lists can be sorted.
    var sortIndexes: Set<SortIndex> { aids.sortIndexes }
    let tables: ModelTables
    let longReads: LongReadQueue
    /// Pages of lists that take longer than others on their thread can do without it: no export keeps them waiting.
    let longPages = LongReadQueue(places: 2)
    let log: LogFile
    private let directory: DataDirectory
    private let engine: any StoreEngine
    private let idle: Mutex<IdleReaders>
    private let readLimit: Duration
    let attemptLimit: Duration
    private let onFailure: @Sendable (EngineError) -> Void

    /// - Parameters:
    ///   - longReads: How many long reads may work at a time.
    ///   - readLimit: Within which a short read must have ended.
    ///   - attemptLimit: The time after which a read that is short for the most part goes on as a long one.
    ///   - logBound: How large the log may become for the sake of long reads.
    ///   - engine: What holds the data.
    ///   - onFailure: Called with what the engine refuses to read, which callers may only have a sentence for.
    /// - Throws: ``StoreOpenError`` when there is no store, or it was written with other models.
    package init(
        directory: DataDirectory, schema: Schema, longReads: Int = 2, readLimit: Duration = ReaderPool.shortReadLimit,
        attemptLimit: Duration = ReaderPool.attemptLimit,
        logBound: LogBound = LogBound(), engine: any StoreEngine = StoreEngines.standard,
        onFailure: @escaping @Sendable (EngineError) -> Void = { _ in }
    ) throws {
        let first = try Reader(directory, engine: engine)
        aids = try first.read(within: readLimit) { connection in
            try connection.snapshot {
                try StoreLayout.checkIdentity(of: connection)
                try StoreLayout.checkReadable(schema, in: connection)
                return try QueryAids(of: connection)
            }
        }
        tables = ModelTables(schema, engine.dialect)
        self.directory = directory
        self.engine = engine
        self.readLimit = readLimit
        self.attemptLimit = attemptLimit
        self.onFailure = onFailure
        self.longReads = LongReadQueue(places: longReads)
        log = LogFile(of: directory, bound: logBound)
        idle = Mutex(IdleReaders(capacity: 2 * ProcessInfo.processInfo.activeProcessorCount))
        put(first)
    }

    /// Reads run in place, on threads that serve others too.
    package static let shortReadLimit: Duration = .seconds(2)

    /// Runs the body with a connection of its own; a read that takes longer than the limit is interrupted.
    ///
    /// - Throws: ``ReadError``, ``EngineError``, and what the body throws.
    package func read<T>(_ body: (any Connection) throws -> T) throws -> T {
        try read(within: readLimit, body)
    }

    func read<T>(
        within limit: Duration, unless interruption: Interruption? = nil, _ body: (any Connection) throws -> T
    ) throws -> T {
        let reader = try take()
        do {
            let result = try reader.read(within: limit, unless: interruption, body)
            put(reader)
            return result
        } catch {
            // A connection that failed may be the failure.
            if let error = error as? EngineError { onFailure(error) } else { put(reader) }
            throw error
        }
    }

    /// Runs the body with several reads of one committed state of the store, each of which has a limit of its own.
    ///
    /// - Throws: ``ReadError``, ``EngineError``, and what the body throws.
    func readState<T>(_ body: (StateReads) throws -> T) throws -> T {
        let reader = try take()
        do {
            let result = try reader.connection.snapshot { try body(StateReads(reader: reader)) }
            put(reader)
            return result
        } catch {
            // A connection that failed may be the failure.
            if let error = error as? EngineError { onFailure(error) } else { put(reader) }
            throw error
        }
    }

    /// Closes the idle connections; those in use are closed when their read ends.
    package func close() {
        idle.withLock { $0.close() }
    }

    private func take() throws -> Reader {
        let reader = try idle.withLock { (idle) throws(EngineError) in Lent(try idle.take()) }.reader
        return try reader ?? Reader(directory, engine: engine)
    }

    /// A connection in a transaction would read what was, hold back the log, and fail with its next BEGIN: it is closed, and
    /// another one is opened for it.
    private func put(_ reader: Reader) {
        guard !reader.connection.isInTransaction else { return reader.connection.close() }
        let returned = Lent(reader)
        idle.withLock { idle in
            if let reader = returned.reader { idle.put(reader) }
        }
    }
}

/// Carries a reader in and out of the lock. Safe to send: it is either among the idle ones or with exactly one
/// borrower, and whoever hands it over does not use it any more.
private struct Lent: @unchecked Sendable {
    let reader: Reader?

    init(_ reader: Reader?) {
        self.reader = reader
    }
}
