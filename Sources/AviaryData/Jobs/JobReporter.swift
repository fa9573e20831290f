import AviaryDomain
import Foundation
import Synchronization

/// Writes down how far a job has come.
final class JobReporter<Job: BackgroundJob>: JobNotes {
    private struct State {
        var job: Job
        var writtenAt: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let file: JobFile<Job>

    /// - Parameter job: As it is written down already.
    init(job: Job, file: JobFile<Job>) {
        state = Mutex(State(job: job))
        self.file = file
    }

    /// Now and then, from a thread that may wait for disks.
    func report(_ change: (inout Job) -> Void) {
        // How far it has come is not worth failing for.
        if let job = changed(change) { try? file.write(job) }
    }

    func note(_ change: @Sendable (inout Job) -> Void) async {
        guard let job = changed(change) else { return }
        try? await BlockingWork.run { [file] in try file.write(job) }  // as above
    }

    func keep(_ change: @Sendable (inout Job) -> Void) async throws {
        let job = state.withLock { state in
            change(&state.job)
            state.writtenAt = .now
            return state.job
        }
        try await BlockingWork.run { [file] in try file.write(job) }
    }

    func finish(_ change: (inout Job) -> Void) {
        let job = state.withLock { state in
            change(&state.job)
            return state.job
        }
        // With a full disk nothing is left to be told; the work then counts as interrupted.
        try? file.write(job)
    }

    /// Returns the changed job; nil when the last one was written just now.
    private func changed(_ change: (inout Job) -> Void) -> Job? {
        let now = ContinuousClock.now
        return state.withLock { state in
            change(&state.job)
            guard state.writtenAt.map({ now - $0 > .milliseconds(300) }) ?? true else { return nil }
            state.writtenAt = now
            return state.job
        }
    }
}
