import AviaryDomain
import Dispatch
import Foundation
import Synchronization

/// Checks a store's file while the store serves: on a reader of its own, on a thread of its own.
final class FileChecker: Sendable {
    private struct State {
        var result = FileCheck.notNeeded
        var run: FileCheckRun?
        var damagedTables: [String] = []
        /// That statements met since the last whole check.
        var met: String?
    }

    private let directory: DataDirectory
    private let engine: any StoreEngine
    private let onResult: @Sendable (FileCheck) -> Void
    private let state = Mutex(State())

    /// - Parameter onResult: Called when a check begins and with what it found.
    init(
        _ directory: DataDirectory, engine: any StoreEngine, onResult: @escaping @Sendable (FileCheck) -> Void
    ) {
        self.engine = engine
        self.directory = directory
        self.onResult = onResult
    }

    var result: FileCheck { state.withLock { $0.result } }

    var isUnderWay: Bool { state.withLock { $0.run != nil } }

    /// The tables that a check has found not whole, when it has ended.
    var damagedTables: [String] { state.withLock { $0.damagedTables } }

    /// Begins a check, in place of one that runs.
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

    /// Notes damage that a statement met. The first time the whole file is checked for what can be made anew; it counts as damaged
    /// meanwhile.
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
            let told: FileCheck? = self.state.withLock { state in
                guard state.run === run else { return nil }
                state.run = nil
                state.damagedTables = tables
                // What a statement met is there, whatever a check does not see.
                if state.met != nil, case .damaged = result {} else if state.met != nil { return nil }
                state.result = result
                return result
            }
            if let told { self.onResult(told) }
            run.end()
        }
    }

    /// Ends a check that runs; blocks the thread until it did, for a second at most.
    func stop() {
        state.withLock { $0.run }?.stop(within: .now() + .seconds(1))
    }
}

/// One check of a file, from its beginning to its end.
final class FileCheckRun: Sendable {
    /// More would tell nobody more.
    private static let reportedLines = 20
    /// A file of any size may take its time: nobody waits.
    private static let limit: Duration = .seconds(7 * 86_400)

    private let directory: DataDirectory
    private let engine: any StoreEngine
    private let interruption = Interruption()
    /// Nil before the check has begun.
    let interrupter = Mutex<(any ConnectionInterrupter)?>(nil)
    private let ended = DispatchGroup()

    init(_ directory: DataDirectory, engine: any StoreEngine) {
        self.engine = engine
        self.directory = directory
        ended.enter()
    }

    /// Checks; to be called once, and ``end()`` after it.
    func result() -> (check: FileCheck, tables: [String]) {
        do {
            let found = try findings()
            let lines = Array(found.lines.prefix(Self.reportedLines))
            return (lines.isEmpty ? .ok(at: Date()) : .damaged(lines, at: Date()), found.tables)
        } catch ReadError.cancelled {
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
        interruption.request()
        interrupter.withLock { $0 }?.interrupt()
    }

    /// Blocks the thread until the check has ended.
    func stop(within deadline: DispatchTime) {
        interruption.request()
        // Again and again: an interrupt that comes between two statements has no effect.
        repeat {
            interrupter.withLock { $0 }?.interrupt()
        } while ended.wait(timeout: .now() + .milliseconds(5)) == .timedOut && .now() < deadline
    }

    private func findings() throws -> FileFindings {
        let reader = try Reader(directory, engine: engine)
        let interrupter = reader.connection.interrupter()
        self.interrupter.withLock { $0 = interrupter }
        defer { interrupter.detach() }
        return try reader.read(within: Self.limit, unless: interruption) { _ in try findings(reader.connection) }
    }

    private func findings(_ connection: any ReaderConnection) throws -> FileFindings {
        var found = FileFindings()
        // All of it, also what cannot be read: what can be made anew is among the rest.
        found.lines = try problems { try connection.quickCheck() }
        for table in try connection.tableNames() {
            for check in [connection.integrityCheck, connection.referenceCheck] {
                guard !interruption.isRequested else { throw ReadError.cancelled }
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

/// What a check of a file has found.
struct FileFindings: Sendable {
    /// Some of what is wrong, as the engine says it.
    var lines: [String] = []
    /// Those that are not whole, or whose indexes are not.
    var tables: [String] = []

    mutating func add(_ lines: [String], of table: String) {
        guard !lines.isEmpty else { return }
        self.lines += lines
        tables.append(table)
    }
}
