import Foundation
package import Logging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The actor that keeps one store process and some web workers running.
///
/// It restarts processes that die, replaces those that a deploy replaces, and drains those that are to end. The
/// supervisor parses no input of users, so no input can crash it. The ``SupervisorState`` decides what to do. The
/// supervisor carries it out and reports the events to the state machine.
package actor Supervisor {
    let plan: ProcessPlan
    let logger: Logger
    let service: ServiceNotifier
    private let onChange: @Sendable (ProcessStatus) throws -> Void
    private let onServing: @Sendable () -> Void
    let death: PipeDescriptors
    private let clock = ContinuousClock()
    private let begun = ContinuousClock.now
    private var state: SupervisorState
    private var status: ProcessStatus?
    private var hasFailedToPublish = false
    private var isPublishingAgain = false
    var children: [ManagedProcessID: ChildProcess] = [:]
    var images: [ProgramID: ProgramImage]
    var probe: SchemaProbe?
    var hasStoppedAsking = false
    private var result: Result<Void, SupervisorError>?
    let (events, continuation) = AsyncStream<SupervisorEvent>.makeStream()

    /// Creates a supervisor.
    ///
    /// - Parameters:
    ///   - onServing: A function that is called once, when the store and all workers are ready for the first time.
    ///   - onChange: A function that is called after every start, readiness and death. If it throws, it is called
    ///     again some time later.
    package init(
        plan: ProcessPlan, logger: Logger, service: ServiceNotifier = ServiceNotifier(address: nil),
        onServing: @escaping @Sendable () -> Void, onChange: @escaping @Sendable (ProcessStatus) throws -> Void
    ) throws(SupervisorError) {
        self.plan = plan
        self.logger = logger
        self.service = service
        self.onServing = onServing
        self.onChange = onChange
        death = try PipeDescriptors()
        state = SupervisorState(workers: plan.workers)
        do {
            images = [.own: try ProgramImage(own: plan.program)]
        } catch {
            throw .system(reason: error.reason)
        }
    }

    /// Runs until ``end(atOnce:)`` has ended every process.
    ///
    /// - Throws: ``SupervisorError`` when a process cannot be kept running. All others have ended by then.
    package func run() async throws {
        // A reader of the log that disappears must not end the server.
        signal(SIGPIPE, SIG_IGN)
        take(.begin)
        for await event in events {
            take(event)
            if let result { return try result.get() }
        }
    }

    /// Replaces the store and the workers by the program that is at this program's path now.
    package nonisolated func reload() {
        continuation.yield(.reload)
    }

    /// Ends all processes: first the workers, which answer the requests that they have begun, then the store,
    /// which commits its open batch.
    package nonisolated func end(atOnce: Bool = false) {
        continuation.yield(.end(atOnce ? .atOnce : .draining))
    }

    private func take(_ event: SupervisorEvent) {
        if case .ended(let id, _) = event { children[id] = nil }
        let before = state
        var actions = state.handle(event, at: clock.now - begun)[...]
        while let action = actions.popFirst() {
            if let event = perform(action) { actions += state.handle(event, at: clock.now - begun) }
        }
        publish()
        notify(before)
    }

    /// Performs an action.
    ///
    /// - Returns: The event that the action has already caused, if there is one.
    private func perform(_ action: SupervisorAction) -> SupervisorEvent? {
        switch action {
        case .start(let id, let role, let program): return start(id, role, program)
        case .signal(let id, let signal): children[id]?.send(signal)
        case .wait(let timer, let time):
            Task {
                try? await Task.sleep(for: time)  // never cancelled
                self.continuation.yield(.expired(timer))
            }
        case .ask(let program): return ask(program)
        case .stopProbing: stopProbing()
        case .forget(let program): images[program] = nil
        case .emit(let event): event.log(to: logger)
        case .announce: onServing()
        case .finish(let error): result = error.map { .failure($0) } ?? .success(())
        }
        return nil
    }

    private func publish() {
        let new = state.status(supervisor: getpid())
        guard new != status, result == nil else { return }
        status = new
        do {
            try onChange(new)
            hasFailedToPublish = false
        } catch {
            if !hasFailedToPublish { logger.warning("the processes' status could not be told", error: error) }
            hasFailedToPublish = true
            retryPublishing()
        }
    }

    /// Schedules another attempt to publish the status.
    ///
    /// A full disk may have room again, and no other event may occur until then.
    private func retryPublishing() {
        status = nil
        guard !isPublishingAgain else { return }
        isPublishingAgain = true
        Task {
            try? await Task.sleep(for: Self.pauseBeforePublishing)  // never cancelled
            self.isPublishingAgain = false
            self.publish()
        }
    }

    private static let pauseBeforePublishing: Duration = .seconds(2)

    /// Reports the state to the service manager.
    private func notify(_ before: SupervisorState) {
        if state.ending != nil {
            if before.ending == nil { service.notify(.stopping, logger) }
            return
        }
        if state.deploy != nil, state.deploy?.target != before.deploy?.target { service.notify(.reloading, logger) }
        let isIdle = state.hasServed && state.deploy == nil
        if isIdle, !before.hasServed || before.deploy != nil { service.notify(.ready, logger) }
    }
}

extension Supervisor {
    func start(_ id: ManagedProcessID, _ role: ManagedRole, _ program: ProgramID) -> SupervisorEvent {
        guard let image = images[program] else { return .startFailed(id, .impossible(reason: "its program is gone")) }
        let continuation = continuation
        do {
            let process = try ChildProcess(
                image: image,
                arguments: arguments(of: role),
                environment: plan.environment,
                socket: role == .store ? plan.storeSocket : plan.workerSocket,
                death: death.read,
                more: role == .store ? plan.storeLock : plan.metricsSocket
            ) { event in
                switch event {
                case .ready: continuation.yield(.ready(id))
                case .ended(let end): continuation.yield(.ended(id, end))
                }
            }
            children[id] = process
            return .started(id, pid: process.pid)
        } catch {
            return .startFailed(id, error.failure)
        }
    }

    private func arguments(of role: ManagedRole) -> [String] {
        if role == .store { return plan.storeArguments }
        return plan.workerArguments + (state.storeWasReady ? [] : plan.firstWorkerArguments)
    }

    func ask(_ program: ProgramID, attempt: Int = 1) -> SupervisorEvent? {
        guard !hasStoppedAsking else {
            return .compatibilityChecked(program, .unusable(reason: "nobody waits for its answer any more"))
        }
        let continuation = continuation
        do throws(StartError) {
            if images[program] == nil { images[program] = try ProgramImage(path: plan.program) }
            guard let image = images[program] else {
                return .compatibilityChecked(program, .unusable(reason: "its program is gone"))
            }
            let probe = try SchemaProbe(image, arguments: plan.probeArguments, environment: plan.environment)
            self.probe = probe
            probe.answer { continuation.yield(.compatibilityChecked(program, $0)) }
        } catch {
            if case .noRoom = error.failure, attempt < Self.mostAttempts {
                retryProbe(program, attempt: attempt + 1)
            } else {
                return .compatibilityChecked(
                    program, .unusable(reason: "the new program cannot be started: \(error.reason)"))
            }
        }
        return nil
    }

    /// Schedules another attempt to ask the program.
    ///
    /// A file that is being written, or a system without resources, may be usable a moment later.
    private func retryProbe(_ program: ProgramID, attempt: Int) {
        Task {
            try? await Task.sleep(for: Self.pauseBeforeAttempt)  // never cancelled
            if let event = self.ask(program, attempt: attempt) { self.continuation.yield(event) }
        }
    }

    func stopProbing() {
        hasStoppedAsking = true
        probe?.stop()
    }

    private static let mostAttempts = 10
    private static let pauseBeforeAttempt: Duration = .milliseconds(200)
}

extension ChildProcess {
    func send(_ signal: Signal) {
        switch signal {
        case .drain: send(SIGTERM)
        case .atOnce: send(SIGINT)
        case .kill: send(SIGKILL)
        }
        // A stopped process does not receive the other signals until it continues.
        if signal != .kill { send(SIGCONT) }
    }
}

extension ProgramImage {
    /// Opens the program that this process runs, even when another one is at its path by now.
    convenience init(own path: String) throws(StartError) {
        do {
            try self.init(path: "/proc/self/exe", name: path)
        } catch {
            try self.init(path: path)  // no /proc
        }
    }
}

/// The reason why a supervisor could not start or gave up.
package enum SupervisorError: Error, Sendable, Hashable, CustomStringConvertible {
    case system(reason: String)
    case cannotStart(role: String, reason: String)
    /// A process that reports that starting it again will not help.
    case refused(role: String)
    case late(role: String, after: Duration)
    /// A deploy that was replaced by a request for another one.
    case unwanted(role: String)
    case crashLoop(role: String, deaths: Int, last: String)

    package var description: String {
        switch self {
        case .system(let reason): "The system refused what a supervisor needs: \(reason)."
        case .cannotStart(let role, let reason): "The \(role) cannot be started: \(reason)."
        case .refused(let role): "The \(role) cannot start; what it said stands above."
        case .late(let role, let time): "The \(role) was not ready within \(time.milliseconds / 1000) s."
        case .unwanted(let role): "The \(role) was not ready, and was not to be waited for any longer."
        case .crashLoop(let role, let deaths, let last):
            "The \(role) died \(deaths) times in a row before it was ready (\(last)). Look at what it said above, mend that and start again."
        }
    }
}
