import AviaryDomain
import Dispatch
import Foundation
import Synchronization

/// A checker of a store's file that works while the store is in use, with a reader and a thread of its own.
final class FileChecker: Sendable {
    private struct State {
        var result = FileCheck.notNeeded
        var run: FileCheckRun?
        var damagedTables: [String] = []
        /// The damage that a statement found since the last complete check.
        var met: String?
    }

    private let directory: DataDirectory
    private let engine: any StoreEngine
    private let onResult: @Sendable (FileCheck) -> Void
    private let state = Mutex(State())

    /// Creates a checker.
    ///
    /// - Parameter onResult: A function that is called when a check begins and with its result.
    init(
        _ directory: DataDirectory, engine: any StoreEngine, onResult: @escaping @Sendable (FileCheck) -> Void
    ) {
        self.engine = engine
        self.directory = directory
        self.onResult = onResult
    }

    var result: FileCheck { state.withLock { $0.result } }

    var isUnderWay: Bool { state.withLock { $0.run != nil } }

    /// The damaged tables that the last completed check found.
    var damagedTables: [String] { state.withLock { $0.damagedTables } }

    /// Starts a check, which replaces a running one.
    func start() {
        let run = FileCheckRun(directory, engine: engine)
        let previous = state.withLock { state in
            defer { state = State(result: .running, run: run) }
            return state.run
        }
        previous?.interrupt()
        onResult(.running)
        begin(run)
    }

    /// Notes damage that a statement found.
    ///
    /// The first damage starts a check of the whole file, which finds out what can be rebuilt. Meanwhile the file
    /// counts as damaged.
    func met(_ damage: String) {
        let run = FileCheckRun(directory, engine: engine)
        let result = FileCheck.damaged([damage], at: Date())
        let previous: FileCheckRun?? = state.withLock { state in
            guard state.met == nil else { return nil }
            defer { state = State(result: result, run: run, met: damage) }
            return .some(state.run)
        }
        guard let previous else { return }
        previous?.interrupt()
        onResult(result)
        begin(run)
    }

    private func begin(_ run: FileCheckRun) {
        Thread.detachNewThread {
            let (result, tables) = run.result()
            let newResult: FileCheck? = self.state.withLock { state in
                guard state.run === run else { return nil }
                state.run = nil
                state.damagedTables = tables
                // Damage that a statement found is real, even if the check does not see it.
                if state.met != nil, case .damaged = result {} else if state.met != nil { return nil }
                state.result = result
                return result
            }
            if let newResult { self.onResult(newResult) }
            run.end()
        }
    }

    /// Stops a running check. Blocks the thread until it has stopped, for at most a second.
    func stop() {
        state.withLock { $0.run }?.stop(within: .now() + .seconds(1))
    }
}

/// A single check of a file.
final class FileCheckRun: Sendable {
    /// The maximum number of reported lines. A longer list would not be more useful.
    private static let reportedLines = 20
    /// The time limit. It is long because a file may have any size and nobody waits for the check.
    private static let limit: Duration = .seconds(7 * 86_400)

    private let directory: DataDirectory
    private let engine: any StoreEngine
    private let cancellationToken = CancellationToken()
    /// The interrupter of the check; nil before the check has begun.
    let interrupter = Mutex<(any ConnectionInterrupter)?>(nil)
    private let ended = DispatchGroup()

    init(_ directory: DataDirectory, engine: any StoreEngine) {
        self.engine = engine
        self.directory = directory
        ended.enter()
    }

    /// Runs the check and returns its result. The function must be called once, followed by ``end()``.
    func result() -> (check: FileCheck, tables: [String]) {
        do {
            let found = try findings()
            let lines = Array(found.lines.prefix(Self.reportedLines))
            return (lines.isEmpty ? .ok(at: Date()) : .damaged(lines, at: Date()), found.tables)
        } catch let error as ReadError where error.code == .cancelled {
            return (.unfinished(reason: "it was ended, and begins anew when the store is opened the next time"), [])
        } catch let error as EngineError where error.kind == .damage {
            return (.damaged([error.finding], at: Date()), [])
        } catch {
            return (.unfinished(reason: "\(error)"), [])
        }
    }

    func end() {
        ended.leave()
    }

    func interrupt() {
        cancellationToken.request()
        interrupter.withLock { $0 }?.interrupt()
    }

    /// Blocks the thread until the check has ended.
    func stop(within deadline: DispatchTime) {
        cancellationToken.request()
        // The loop repeats the interrupt, because one between two statements has no effect.
        repeat {
            interrupter.withLock { $0 }?.interrupt()
        } while ended.wait(timeout: .now() + .milliseconds(5)) == .timedOut && .now() < deadline
    }

    private func findings() throws -> FileFindings {
        let reader = try Reader(directory, engine: engine)
        let interrupter = reader.connection.interrupter()
        self.interrupter.withLock { $0 = interrupter }
        defer { interrupter.detach() }
        // Each check has a transaction of its own, so that the log does not grow meanwhile.
        return try reader.work(within: Self.limit, unless: cancellationToken) { _ in try findings(reader.connection) }
    }

    private func findings(_ connection: any ReaderConnection) throws -> FileFindings {
        var found = FileFindings()
        guard let file = connection.fileCheck else { return found }
        // The check reads everything and continues after unreadable pages: the rest may show what can be rebuilt.
        found.lines = try problems { try file.quickCheck() }
        for table in try connection.tableNames() {
            for check in [file.integrityCheck, file.referenceCheck] {
                guard !cancellationToken.isRequested else { throw ReadError.cancelled }
                found.add(try problems { try check(table) }, of: table)
            }
        }
        return found
    }

    private func problems(_ check: () throws -> [String]) throws -> [String] {
        do {
            return try check()
        } catch let error as EngineError where error.kind == .damage {
            return [error.finding]
        }
    }
}

/// The mark that a store is open. A store that finds it when it opens knows that the previous one was not closed.
///
/// The mark is on disk before the first change set, and is not written again until the store closes.
enum UncleanShutdownFlag {
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

/// The findings of a file check.
struct FileFindings: Sendable {
    /// The problems in the engine's words.
    var lines: [String] = []
    /// The tables that are damaged, or whose indexes are.
    var tables: [String] = []

    mutating func add(_ lines: [String], of table: String) {
        guard !lines.isEmpty else { return }
        self.lines += lines
        tables.append(table)
    }
}
