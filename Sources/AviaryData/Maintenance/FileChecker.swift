import AviaryDomain
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
