import Foundation
package import Logging

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps one store process and some web workers running: starts what dies, drains what is to end. It parses nothing that
/// a user sent, so nothing that a user sends can end it.
package actor Supervisor {
    enum Role: Sendable, Hashable, CustomStringConvertible {
        case store
        case worker(Int)

        var description: String {
            switch self {
            case .store: "store"
            case .worker(let index): "worker \(index + 1)"
            }
        }
    }

    /// One process and those that were in its place before.
    struct Slot {
        var process: ChildProcess?
        var isReady = false
        var starts = 0
        var backoff = Backoff()
    }

    /// How long a process may take to end by itself.
    static let patience: Duration = .seconds(10)

    let plan: ProcessPlan
    let logger: Logger
    let onChange: @Sendable (ProcessStatus) -> Void
    let onServing: @Sendable () -> Void
    let death: PipeDescriptors
    var slots: [Role: Slot] = [:]
    var isEnding = false
    private var hasServed = false
    private var failure: SupervisorError?
    private let (events, continuation) = AsyncStream<ChildProcess.Event>.makeStream()

    /// - Parameters:
    ///   - onServing: called once, when the store and all workers are ready for the first time.
    ///   - onChange: called with every birth, readiness and death.
    package init(
        plan: ProcessPlan, logger: Logger, onServing: @escaping @Sendable () -> Void,
        onChange: @escaping @Sendable (ProcessStatus) -> Void
    ) throws(SupervisorError) {
        self.plan = plan
        self.logger = logger
        self.onServing = onServing
        self.onChange = onChange
        death = try PipeDescriptors()
    }

    /// Runs until ``end()`` has ended every process.
    ///
    /// - Throws: ``SupervisorError`` when a process cannot be kept running; all others have ended then.
    package func run() async throws {
        try start(.store)
        for await event in events {
            switch event {
            case .ready(let pid): try ready(pid)
            case .ended(let pid, let end): ended(pid, end)
            }
            if slots.values.allSatisfy({ $0.process == nil }), isEnding { break }
        }
        if let failure { throw failure }
    }

    private func start(_ role: Role) throws(SupervisorError) {
        guard !isEnding else { return }
        let continuation = continuation
        let process = try ChildProcess(
            program: plan.program,
            arguments: role == .store ? plan.storeArguments : plan.workerArguments,
            environment: plan.environment,
            socket: role == .store ? plan.storeSocket : plan.workerSocket,
            death: death.read,
            lock: role == .store ? plan.storeLock : nil,
            report: { continuation.yield($0) }
        )
        slots[role, default: Slot()].process = process
        slots[role]?.isReady = false
        slots[role]?.starts += 1
        logger.info("\(role) started", metadata: ["pid": "\(process.pid)"])
        changed()
    }

    private func ready(_ pid: pid_t) throws(SupervisorError) {
        guard let role = role(of: pid) else { return }
        slots[role]?.isReady = true
        slots[role]?.backoff.ready()
        changed()
        // Workers read the file that the store makes: they follow its first readiness.
        if role == .store {
            for index in 0..<plan.workers where slots[.worker(index)] == nil { try start(.worker(index)) }
        }
        if !hasServed, slots.count == plan.workers + 1, slots.values.allSatisfy(\.isReady) {
            hasServed = true
            onServing()
        }
    }

    private func ended(_ pid: pid_t, _ end: ProcessEnd) {
        guard let role = role(of: pid), var slot = slots[role] else { return }
        let wasReady = slot.isReady
        slot.process = nil
        slot.isReady = false
        let wait = slot.backoff.died(wasReady: wasReady)
        slots[role] = slot
        changed()
        guard !isEnding else {
            if role != .store { endStoreAfterWorkers() }
            return
        }
        if end == .exited(ProcessPlan.refusalExitCode) {
            give(up: .refused(role: "\(role)"))
        } else if slot.backoff.isCrashLoop {
            give(up: .crashLoop(role: "\(role)", deaths: Backoff.mostDeaths, last: "\(end)"))
        } else {
            logger.warning("\(role) died and is started again", metadata: ["pid": "\(pid)", "end": "\(end)"])
            Task {
                if wait > .zero { try? await Task.sleep(for: wait) }  // never cancelled
                self.startAgain(role)
            }
        }
    }

    private func startAgain(_ role: Role) {
        do {
            try start(role)
        } catch {
            give(up: error)
        }
    }

    private func give(up error: SupervisorError) {
        failure = error
        end()
    }

    /// Wakes `run()` when nothing is left that could report its end.
    func wake() {
        continuation.yield(.ended(0, .exited(0)))
    }

    private func role(of pid: pid_t) -> Role? {
        slots.first { $0.value.process?.pid == pid }?.key
    }

    private func changed() {
        func status(_ role: Role) -> ProcessStatus.Process? {
            guard let slot = slots[role], let process = slot.process else { return nil }
            return ProcessStatus.Process(pid: process.pid, restarts: slot.starts - 1, isReady: slot.isReady)
        }
        onChange(ProcessStatus(
            supervisor: getpid(), store: status(.store),
            workers: (0..<plan.workers).compactMap { status(.worker($0)) }
        ))
    }
}
