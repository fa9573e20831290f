import NIOCore
import Synchronization

/// The connections of one event loop.
///
/// All state is used only on the event loop. Each entry point ensures this.
final class HTTPConnectionRegistry: @unchecked Sendable {
    struct Draining {
        let begin: NIODeadline
        /// The time that the drain grants a connection without a request.
        let linger: TimeAmount
    }

    /// The least number of connections to close at a time. With fewer, a new client behind many silent connections
    /// would wait for seconds.
    private static let few = 4

    let eventLoop: any EventLoop
    let turns: RequestScheduler
    private(set) var draining: Draining?
    private var gates: [ObjectIdentifier: ConnectionGate] = [:]
    /// The bytes of answers that clients have not read, as of the last checks.
    var waitingAnswers = 0
    private let mostWaitingAnswers: Int
    /// The bytes of requests whose short bodies are not complete.
    var withheldBytes = 0
    private let mostWithheldBytes: Int

    /// The metrics that count rejected requests, or nil if they are not counted.
    let metrics: HTTPMetrics?

    /// Creates the set of an event loop's connections.
    ///
    /// - Parameters:
    ///   - limits: The limits of the process.
    ///   - share: The number of event loops, which share the limits in equal parts.
    init(_ eventLoop: any EventLoop, limits: ConnectionLimits, share: Int, metrics: HTTPMetrics? = nil) {
        self.eventLoop = eventLoop
        turns = RequestScheduler(eventLoop)
        mostWaitingAnswers = limits.waitingAnswers / share
        mostWithheldBytes = limits.waitingBodies / share
        self.metrics = metrics
    }

    var isDraining: Bool { draining != nil }

    func add(_ gate: ConnectionGate) {
        eventLoop.preconditionInEventLoop()
        gates[ObjectIdentifier(gate)] = gate
    }

    func remove(_ gate: ConnectionGate) {
        eventLoop.preconditionInEventLoop()
        gates[ObjectIdentifier(gate)] = nil
    }

    func drain(linger: TimeAmount) {
        eventLoop.execute {
            guard self.draining == nil else { return }
            self.draining = Draining(begin: .now(), linger: linger)
            for gate in Array(self.gates.values) { gate.beginDraining() }
        }
    }

    /// Closes the slowest readers while the unread bytes exceed the limit. The last reader keeps its answer,
    /// however long it is.
    func boundAnswers() {
        guard waitingAnswers > mostWaitingAnswers else { return }
        let now = NIODeadline.now()
        let readers = gates.values.filter { $0.waitingAnswer > 0 }
        // Bytes that the clients have read since the last check count.
        for gate in readers {
            if let context = gate.context { gate.creditWriting(context, at: now) }
        }
        let slowestFirst = readers.compactMap { gate in gate.writing.map { (gate: gate, deadline: $0.credit.deadline) }
        }
        .sorted { $0.deadline < $1.deadline }
        for (gate, _) in slowestFirst.dropLast() where waitingAnswers > mostWaitingAnswers {
            gate.waitingAnswer = 0
            if let context = gate.context { gate.closeNow(context) }
        }
    }

    /// Ends the slowest short bodies while their bytes exceed the limit.
    func boundBodies() {
        guard withheldBytes > mostWithheldBytes else { return }
        let slowestFirst = gates.values.filter { $0.withheld != nil }
            .sorted { $0.bodyCredit.deadline < $1.bodyCredit.deadline }
        // A sixteenth more, so that the next bodies do not search again.
        let goal = mostWithheldBytes - mostWithheldBytes / 16
        for gate in slowestFirst.dropLast() where withheldBytes > goal {
            if let context = gate.context { gate.refuse(.crowded, context) }
        }
    }

    /// Closes the connections that have been silent the longest, and then those whose bodies arrive slowly.
    ///
    /// It closes one sixteenth of all connections, but at least a few.
    func makeRoom(_ limits: ConnectionLimits) {
        eventLoop.execute {
            let latest = NIODeadline.now() - limits.leastSilence
            let silent = self.gates.values.compactMap { gate in gate.silentSince.map { (gate: gate, since: $0) } }
                .filter { $0.since <= latest }
                .sorted { $0.since < $1.since }
            let wanted = max(self.gates.count / 16, Self.few)
            for (gate, _) in silent.prefix(wanted) { gate.makeRoom() }
            guard silent.count < wanted else { return }
            // The next candidates are slow bodies: the slowest first, and never a body that was sent without a
            // pause.
            let latestDeadline = NIODeadline.now() + limits.transfer - limits.leastDelay
            let late = self.gates.values.compactMap { gate in gate.bodyDeadline.map { (gate: gate, deadline: $0) } }
                .filter { $0.deadline <= latestDeadline }
                .sorted { $0.deadline < $1.deadline }
            for (gate, _) in late.prefix(wanted - silent.count) { gate.makeRoom() }
        }
    }
}

/// The task that serves a connection. It can be cancelled when the client has disconnected.
final class ConnectionTask: Sendable {
    private struct State {
        var isCancelled = false
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    func begin(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
