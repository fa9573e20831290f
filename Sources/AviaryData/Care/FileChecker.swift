import AviaryDomain
import Foundation
import Synchronization

/// Checks a store's file while the store serves: on a reader of its own, on a thread of its own.
final class FileChecker: Sendable {
    private struct State {
        var result = FileCheck.notNeeded
        var run: FileCheckRun?
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

    /// Begins a check, in place of one that runs.
    func start() {
        let run = FileCheckRun(directory, engine: engine)
        let previous = state.withLock { state in
            defer { state = State(result: .running, run: run) }
            return state.run
        }
        previous?.interrupt()
        onResult(.running)
        Thread.detachNewThread {
            let result = run.result()
            let isCurrent = self.state.withLock { state in
                guard state.run === run else { return false }
                state.result = result
                return true
            }
            if isCurrent { self.onResult(result) }
            run.end()
        }
    }

    /// Ends a check that runs; blocks the thread until it did, for a second at most.
    func stop() {
        state.withLock { $0.run }?.stop(within: .now() + .seconds(1))
    }
}
