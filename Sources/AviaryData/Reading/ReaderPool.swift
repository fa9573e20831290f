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

extension ReaderPool {
    /// Longer than any export or search takes that somebody still waits for.
    package static let longReadLimit: Duration = .seconds(60)

    /// Runs the body with a connection of its own on a thread of its own. A bounded number of these work at a time, and
    /// others wait for their turn. Ends soon after the task is cancelled: SQLite's work is interrupted.
    ///
    /// - Parameter timeLimit: For the wait and for the work, each.
    /// - Throws: ``ReadError``, ``EngineError``, and what the body throws.
    package func readLong<T: Sendable>(
        timeLimit: Duration = longReadLimit, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await readLong(timeLimit: timeLimit, in: longReads, body)
    }

    /// - Parameter queue: Where it waits for its turn.
    func readLong<T: Sendable>(
        timeLimit: Duration, in queue: LongReadQueue, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        let interruption = Interruption()
        try await queue.enter(waitingAtMost: timeLimit, unless: interruption)
        defer { queue.leave() }
        try await waitForLog(atMost: timeLimit)
        let watch = LogWatch(log, ending: interruption)
        do {
            return try await withTaskCancellationHandler {
                try await BlockingWork.run {
                    // Cancelled before the thread began; a body may do much before SQLite is asked for the first time.
                    guard !interruption.isRequested else { throw ReadError.cancelled }
                    return try self.read(within: timeLimit, unless: interruption, body)
                }
            } onCancel: {
                interruption.request()
            }
        } catch ReadError.cancelled where watch.hasEndedRead {
            throw ReadError.heldLog
        }
    }

    /// Until the store has emptied its log, which it does as soon as no read holds it.
    private func waitForLog(atMost limit: Duration) async throws(ReadError) {
        let end = ContinuousClock.now + limit
        while log.isTooLargeToBegin {
            guard .now < end else { throw .heldLog }
            do { try await Task.sleep(for: Self.pauseBetweenLooks) } catch { throw .cancelled }
        }
    }

    private static let pauseBetweenLooks: Duration = .milliseconds(50)

    /// For reads that are short for the most part: in place, and when that takes too long once more as a long one.
    package func readShortOrLong<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws
        -> T
    {
        try await readShortOrLong(timeLimit: Self.longReadLimit, in: longReads, body)
    }

    /// - Parameters:
    ///   - timeLimit: For the wait and for the work of the long read, each.
    ///   - queue: The queue in which the long read waits for its turn.
    func readShortOrLong<T: Sendable>(
        timeLimit: Duration, in queue: LongReadQueue, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        do {
            return try read(within: attemptLimit, body)
        } catch ReadError.tookTooLong {
            return try await readLong(timeLimit: timeLimit, in: queue, body)
        }
    }

    /// As long as others on the thread can do without it.
    package static let attemptLimit: Duration = .milliseconds(50)
}

extension ReaderPool {
    /// Looks whether a model that the pool was not opened with fits the file as it is now.
    ///
    /// - Throws: ``ModelMismatch``, ``ReadError``, ``EngineError``.
    package func check(_ model: ModelSchema) throws {
        let file = try read { connection in try connection.snapshot { try StoreLayout.summary(in: connection) } }
        try ModelMismatch.check(model, against: file)
    }
}

extension ReaderPool {
    /// Returns the file's current restore epoch, which a restore changes while readers are open.
    ///
    /// - Throws: ``EngineError``; ``StoreOpenError`` when the file has none.
    package func restoreEpoch() throws -> String {
        try read { connection in
            let value = try MetaTable.value(.restoreEpoch, in: connection)
            guard case .text(let epoch) = value else { throw StoreOpenError.notAStore(path: connection.path) }
            return epoch
        }
    }
}

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

/// The readers of a pool that nobody uses.
struct IdleReaders {
    private let capacity: Int
    private var readers: [Reader] = []
    private var isClosed = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The one used last, whose cache is warmest; nil when there is none.
    mutating func take() throws(EngineError) -> Reader? {
        guard !isClosed else {
            throw EngineError(
                kind: .other, code: nil, message: "the store is closed", operation: "read after the pool was closed")
        }
        return readers.popLast()
    }

    mutating func put(_ reader: Reader) {
        guard !isClosed, readers.count < capacity else { return }
        readers.append(reader)
    }

    mutating func close() {
        isClosed = true
        readers.removeAll()
    }
}
