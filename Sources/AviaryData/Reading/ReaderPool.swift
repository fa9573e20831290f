package import AviaryDomain
import Foundation
import Synchronization

/// A pool of read-only connections.
///
/// Short reads run on the caller's thread and never wait for one another: if all connections are in use, the pool
/// opens another. See ``readLong(timeLimit:_:)`` for long reads.
package final class ReaderPool: Sendable {
    let aids: QueryIndexes
    /// The indexes by which lists can be sorted.
    var sortIndexes: Set<SortIndex> { aids.sortIndexes }
    let tables: ModelTables
    let longReads: LongReadQueue
    /// The queue of pages that take longer than other work on their thread can wait. Exports use another queue and
    /// do not delay them.
    let longPages = LongReadQueue(places: 2)
    let log: LogFile
    /// The watch of the store's commits.
    package let commits: CommitWatch
    private let directory: DataDirectory
    private let engine: any StoreEngine
    private let idle: Mutex<IdleReaders>
    let readLimit: Duration
    let attemptLimit: Duration
    private let onFailure: @Sendable (EngineError) -> Void
    private let longReadLimit: Duration

    /// Opens the pool.
    ///
    /// - Parameters:
    ///   - longReads: The number of long reads that run at a time.
    ///   - readLimit: The time limit of a short read.
    ///   - attemptLimit: The time after which a read that is usually short continues as a long one.
    ///   - watchLimit: The time limit of a query by ``commits``.
    ///   - longReadLimit: The time limit of a long read that has no other.
    ///   - logBound: The maximum size of the write-ahead log while long reads run.
    ///   - engine: The engine that stores the data.
    ///   - onFailure: A function that receives errors of the engine, which callers may only describe in a sentence.
    /// - Throws: ``StoreOpenError`` if there is no store, or it was written with other models.
    package init(
        directory: DataDirectory, schema: Schema, longReads: Int = 2, readLimit: Duration = ReaderPool.shortReadLimit,
        attemptLimit: Duration = ReaderPool.attemptLimit, watchLimit: Duration = ReaderPool.attemptLimit,
        longReadLimit: Duration = ReaderPool.longReadLimit,
        logBound: LogBound = LogBound(), engine: any StoreEngine = StoreEngines.standard,
        onFailure: @escaping @Sendable (EngineError) -> Void = { _ in }
    ) throws {
        let first = try Reader(directory, engine: engine)
        aids = try first.read(within: readLimit) { connection in
            try connection.snapshot {
                try StoreLayout.checkIdentity(of: connection)
                try StoreLayout.checkReadable(schema, in: connection)
                return try QueryIndexes(of: connection)
            }
        }
        tables = ModelTables(schema, engine.dialect)
        self.directory = directory
        self.engine = engine
        self.readLimit = readLimit
        self.attemptLimit = attemptLimit
        self.longReadLimit = longReadLimit
        self.onFailure = onFailure
        self.longReads = LongReadQueue(places: longReads)
        log = LogFile(of: directory, bound: logBound)
        commits = CommitWatch(directory, engine: engine, limit: watchLimit)
        idle = Mutex(IdleReaders(capacity: 2 * ProcessInfo.processInfo.activeProcessorCount))
        put(first)
    }

    /// The time limit of a search for choices, for which other work on the thread can wait.
    var searchLimit: Duration { engine.searchLimit }

    /// The time limit of a read that runs in place, on a thread that serves others, too.
    package static let shortReadLimit: Duration = .seconds(2)

    /// Runs the body with a connection of its own. A read that exceeds the limit is interrupted.
    ///
    /// - Throws: ``ReadError``, ``EngineError``, and the errors of the body.
    package func read<T>(_ body: (any Connection) throws -> T) throws -> T {
        try read(within: readLimit, body)
    }

    func read<T>(
        within limit: Duration, unless cancellationToken: CancellationToken? = nil, _ body: (any Connection) throws -> T
    ) throws -> T {
        let reader = try take()
        do {
            let result = try reader.read(within: limit, unless: cancellationToken, body)
            put(reader)
            return result
        } catch {
            // The failure may be in the connection, so it is not reused.
            if let error = error as? EngineError { onFailure(error) } else { put(reader) }
            throw error
        }
    }

    /// Runs the body with several reads of one committed state of the store. Each read has a limit of its own.
    ///
    /// - Throws: ``ReadError``, ``EngineError``, and the errors of the body.
    func readState<T>(_ body: (StateReads) throws -> T) throws -> T {
        let reader = try take()
        do {
            let result = try reader.connection.maskedSnapshot { try body(StateReads(reader: reader)) }
            put(reader)
            return result
        } catch {
            // The failure may be in the connection, so it is not reused.
            if let error = error as? EngineError { onFailure(error) } else { put(reader) }
            throw error
        }
    }

    /// Returns the numbers of records, by the names of the models. The store keeps them.
    ///
    /// - Throws: ``ReadError``, ``EngineError``.
    package func recordCounts() throws -> [String: Int] {
        try read { try RecordCountTable.counts(in: $0) }
    }

    /// Closes the idle connections. The others are closed when their read ends.
    package func close() {
        idle.withLock { $0.close() }
        commits.close()
    }

    private func take() throws -> Reader {
        while true {
            let reader = try idle.withLock { (idle) throws(EngineError) in Lent(try idle.take()) }.reader
            // The idle connections to a server end with it.
            guard let reader else { return try Reader(directory, engine: engine) }
            if reader.connection.isUsable { return reader }
        }
    }

    /// Returns a connection to the pool.
    ///
    /// A connection with an open transaction is closed: it would read an old state, block checkpoints, and fail at
    /// its next BEGIN. The pool opens another one instead.
    private func put(_ reader: Reader) {
        guard !reader.connection.isInTransaction else { return reader.connection.close() }
        let returned = Lent(reader)
        idle.withLock { idle in
            if let reader = returned.reader { idle.put(reader) }
        }
    }
}

/// A container that moves a reader in and out of the lock.
///
/// It is safe to send: a reader is either idle or has exactly one borrower, which does not use it after returning
/// it.
private struct Lent: @unchecked Sendable {
    let reader: Reader?

    init(_ reader: Reader?) {
        self.reader = reader
    }
}

extension ReaderPool {
    /// The time limit of a long read, more than an export or a search takes for which somebody still waits.
    package static let longReadLimit: Duration = .seconds(60)

    /// Runs the body with a connection and a thread of its own.
    ///
    /// The pool runs a bounded number of these reads at a time, and the others wait for their turn. A read ends
    /// soon after its task is cancelled, because SQLite's work is interrupted.
    ///
    /// - Parameter timeLimit: The limit for the wait and for the work, each; by default that of the pool.
    /// - Throws: ``ReadError``, ``EngineError``, and the errors of the body.
    package func readLong<T: Sendable>(
        timeLimit: Duration? = nil, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await readLong(timeLimit: timeLimit ?? longReadLimit, in: longReads, body)
    }

    /// Runs the body like ``readLong(timeLimit:_:)``.
    ///
    /// - Parameter queue: The queue in which the read waits for its turn.
    func readLong<T: Sendable>(
        timeLimit: Duration, in queue: LongReadQueue, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        let cancellationToken = CancellationToken()
        try await queue.enter(waitingAtMost: timeLimit, unless: cancellationToken)
        defer { queue.leave() }
        try await waitForLog(atMost: timeLimit)
        let watch = LogGrowthMonitor(log, ending: cancellationToken)
        do {
            return try await withTaskCancellationHandler {
                try await BlockingWork.run {
                    // The task was cancelled before the thread began. Without this check, the body may do much work
                    // before its first statement.
                    guard !cancellationToken.isRequested else { throw ReadError.cancelled }
                    return try self.read(within: timeLimit, unless: cancellationToken, body)
                }
            } onCancel: {
                cancellationToken.request()
            }
        } catch let error as ReadError where error.code == .cancelled && watch.hasEndedRead {
            throw ReadError.heldLog
        }
    }

    /// Waits until the store has truncated its log, which it does as soon as no read prevents it.
    private func waitForLog(atMost limit: Duration) async throws(ReadError) {
        let end = ContinuousClock.now + limit
        while log.isTooLargeToBegin {
            guard .now < end else { throw .heldLog }
            do { try await Task.sleep(for: Self.pauseBetweenLooks) } catch { throw .cancelled }
        }
    }

    private static let pauseBetweenLooks: Duration = .milliseconds(50)

    /// Runs a read that is usually short: in place, and if this takes too long, once more as a long read.
    package func readShortOrLong<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws
        -> T
    {
        try await readShortOrLong(timeLimit: longReadLimit, in: longReads, body)
    }

    /// Runs a read that is usually short.
    ///
    /// - Parameters:
    ///   - timeLimit: The limit for the wait and for the work of the long read, each.
    ///   - queue: The queue in which the long read waits for its turn.
    func readShortOrLong<T: Sendable>(
        timeLimit: Duration, in queue: LongReadQueue, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        do {
            return try read(within: attemptLimit, body)
        } catch let error as ReadError where error.code == .tookTooLong {
            return try await readLong(timeLimit: timeLimit, in: queue, body)
        }
    }

    /// The time that other work on the thread can wait.
    package static let attemptLimit: Duration = .milliseconds(50)
}

extension ReaderPool {
    /// Checks that a model that the pool was not opened with fits the current file.
    ///
    /// - Throws: ``ModelMismatch``, ``ReadError``, ``EngineError``.
    package func check(_ model: ModelSchema) throws {
        let file = try read { connection in try connection.snapshot { try StoreLayout.summary(in: connection) } }
        try ModelMismatch.check(model, against: file)
    }
}

extension ReaderPool {
    /// Returns the number of the newest commit.
    ///
    /// - Throws: ``ReadError``, ``EngineError``; ``StoreOpenError`` if the file has none.
    package func newestCommit() throws -> Int64 {
        try read { connection in
            guard let position = try StorePosition.read(from: connection) else {
                throw StoreOpenError.notAStore(path: connection.path)
            }
            return position.commit
        }
    }

    /// Returns the file's current restore epoch, which a restore changes while readers are open.
    ///
    /// - Throws: ``EngineError``; ``StoreOpenError`` if the file has none.
    package func restoreEpoch() throws -> String {
        try read { connection in
            let value = try MetaTable.value(.restoreEpoch, in: connection)
            guard case .text(let epoch) = value else { throw StoreOpenError.notAStore(path: connection.path) }
            return epoch
        }
    }
}

/// Several reads of one state of the store. An interrupted read does not affect the others.
struct StateReads {
    fileprivate let reader: Reader

    init(reader: Reader) {
        self.reader = reader
    }

    /// Runs the body with a time limit.
    ///
    /// - Throws: ``ReadError``, ``EngineError``, and the errors of the body.
    func read<T>(within limit: Duration, _ body: (any Connection) throws -> T) throws -> T {
        try reader.read(within: limit, body)
    }
}

/// A read-only connection that gives each read a time limit.
final class Reader {
    let connection: any ReaderConnection

    init(_ directory: DataDirectory, engine: any StoreEngine) throws {
        connection = try engine.openReader(directory)
    }

    /// Runs the body in a read transaction, without masked rows, and with a time limit.
    ///
    /// - Throws: ``ReadError``, ``EngineError``, and the errors of the body.
    func read<T>(
        within limit: Duration, unless cancellationToken: CancellationToken? = nil, _ body: (any Connection) throws -> T
    ) throws -> T {
        try work(within: limit, unless: cancellationToken) { connection in
            try connection.maskedSnapshot { try body(connection) }
        }
    }

    /// Runs the body with a time limit and without a transaction.
    ///
    /// - Throws: ``ReadError``, ``EngineError``, and the errors of the body.
    func work<T>(
        within limit: Duration, unless cancellationToken: CancellationToken? = nil, _ body: (any Connection) throws -> T
    ) throws -> T {
        connection.beginWork(within: limit, unless: cancellationToken)
        defer { connection.endWork() }
        do {
            return try body(connection)
        } catch let error as EngineError where error.kind == .interrupted {
            throw cancellationToken?.isRequested == true ? ReadError.cancelled : .tookTooLong(limit: limit)
        } catch let error as EngineError where error.kind == .busy {
            throw ReadError.storeBusy
        }
    }
}

/// The idle readers of a pool.
struct IdleReaders {
    private let capacity: Int
    private var readers: [Reader] = []
    private var isClosed = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Removes and returns the reader used last, whose cache is the warmest; nil if there is none.
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
