import NIOCore

/// The connections of one event loop.
///
// Everything in it is touched on its event loop alone, which each way in makes sure of.
final class OpenConnections: @unchecked Sendable {
    struct Draining {
        let begin: NIODeadline
        /// How long a connection without a request is still waited for.
        let linger: TimeAmount
    }

    /// Fewer at a time, and who waits behind many silent ones would wait for seconds.
    private static let few = 4

    let eventLoop: any EventLoop
    private(set) var draining: Draining?
    private var gates: [ObjectIdentifier: ConnectionGate] = [:]

    /// Where refusals are counted, if they are.
    let metrics: HTTPMetrics?

    init(_ eventLoop: any EventLoop, metrics: HTTPMetrics? = nil) {
        self.eventLoop = eventLoop
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

    /// Closes the connections that have been silent the longest, a sixteenth of all, but at least a few.
    func makeRoom(leastSilence: TimeAmount) {
        eventLoop.execute {
            let latest = NIODeadline.now() - leastSilence
            let silent = self.gates.values.compactMap { gate in gate.silentSince.map { (gate: gate, since: $0) } }
                .filter { $0.since <= latest }
                .sorted { $0.since < $1.since }
            for (gate, _) in silent.prefix(max(self.gates.count / 16, Self.few)) { gate.makeRoom() }
        }
    }
}
