import AviaryDomain
import NIOCore
import NIOPosix
import Synchronization

/// A connection that the store has welcomed.
///
/// Many requests can be in flight at once. Their answers arrive in any order.
final class ClientConnection: Sendable {
    private static let sweepPause: TimeAmount = .milliseconds(100)

    private let channel: any Channel
    private let outbox: FrameWriteBuffer
    private let pending: PendingRequests
    private let isSweeping = Atomic<Bool>(false)

    private init(channel: any Channel, outbox: FrameWriteBuffer, pending: PendingRequests) {
        self.channel = channel
        self.outbox = outbox
        self.pending = pending
    }

    /// Connects to the store and sends the greeting.
    static func open(
        path: String, as identity: ClientIdentity, speaking versions: ProtocolVersions, limits: ClientLimits,
        on group: any EventLoopGroup
    ) -> EventLoopFuture<ClientConnection> {
        let loop = group.any()
        guard let socket = UnixSocketPath(path) else { return loop.makeFailedFuture(ClientHandler.HandshakeError.lost) }
        let pending = PendingRequests()
        let greeted = loop.makePromise(of: FrameWriteBuffer.self)
        return ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let outbox = FrameWriteBuffer(channel)
                    let decoder = FrameDecoder(limit: .init(limits.largestFrame), patience: .init(limits.handshake))
                    let handler = ClientHandler(
                        identity, speaking: versions, outbox: outbox, pending: pending, greeted: greeted,
                        handshake: .init(limits.handshake)
                    )
                    try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(decoder), handler)
                }
            }
            .connect(unixDomainSocketPath: socket.address)
            .flatMapErrorThrowing { error in
                greeted.fail(ClientHandler.HandshakeError.lost)
                throw error
            }
            .flatMap { channel in
                // The address is valid while its directory is open.
                withExtendedLifetime(socket) {}
                return greeted.futureResult.map { ClientConnection(channel: channel, outbox: $0, pending: pending) }
            }
    }

    var isActive: Bool { channel.isActive }

    /// Sends a request and waits for its answer until the deadline plus the grace period.
    ///
    /// - Returns: The outcome, or nil when the connection had ended before anything was sent.
    func send(_ body: ByteBuffer, deadline: MonotonicTime, grace: Duration) async -> PendingRequests.Outcome? {
        await withCheckedContinuation { continuation in
            let id = pending.add(until: deadline.advanced(by: grace)) { continuation.resume(returning: $0) }
            guard let id else { return continuation.resume(returning: nil) }
            outbox.append { buffer in
                buffer.writeFrame(.request, id: id, deadline: deadline) { $0.writeImmutableBuffer(body) }
            }
            if !isSweeping.exchange(true, ordering: .acquiringAndReleasing) { scheduleSweep() }
        }
    }

    private func scheduleSweep() {
        channel.eventLoop.scheduleTask(in: Self.sweepPause) { [self] in
            if pending.failExpired(at: .now) { return scheduleSweep() }
            isSweeping.store(false, ordering: .releasing)
            // A request that was added just now may have seen a sweep that was about to end.
            if pending.isWaiting, !isSweeping.exchange(true, ordering: .acquiringAndReleasing) { scheduleSweep() }
        }
    }

    func close() {
        channel.close(promise: nil)
    }
}

/// The unanswered requests of one connection, by id.
final class PendingRequests: Sendable {
    enum Outcome: Sendable {
        case answered(ByteBuffer)
        /// The loss of the connection before the answer came, or a late answer.
        ///
        /// The client cannot know whether the store carried out the request. The value indicates whether the
        /// connection was lost while the store postponed the request, which therefore has time for another store.
        case lost(wasPostponed: Bool)
    }

    private struct Entry {
        /// The time at which the client gives up waiting.
        var end: MonotonicTime
        var isPostponed = false
        let resume: @Sendable (Outcome) -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var nextID: UInt64 = 1
        var isClosed = false
    }

    /// The time for which the client waits longer than the store, so that the store answers first.
    private static let postponementGrace: Duration = .seconds(5)

    private let state = Mutex(State())

    var isWaiting: Bool { state.withLock { !$0.entries.isEmpty } }

    /// Adds a request and returns its id, or nil when the connection has ended.
    func add(until end: MonotonicTime, resume: @escaping @Sendable (Outcome) -> Void) -> UInt64? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let id = state.nextID
            state.nextID += 1
            state.entries[id] = Entry(end: end, resume: resume)
            return id
        }
    }

    func answer(_ id: UInt64, _ body: ByteBuffer) {
        state.withLock { $0.entries.removeValue(forKey: id) }?.resume(.answered(body))
    }

    /// Lets a request wait for as long as the store may postpone it.
    func postpone(_ id: UInt64, at time: MonotonicTime) {
        let end = time.advanced(by: QueuedWrite.longestPostponement).advanced(by: Self.postponementGrace)
        state.withLock { state in
            guard var entry = state.entries[id] else { return }
            (entry.end, entry.isPostponed) = (end, true)
            state.entries[id] = entry
        }
    }

    /// Fails the requests whose time has passed.
    ///
    /// - Returns: `true` when other requests still wait.
    func failExpired(at now: MonotonicTime) -> Bool {
        let (late, isWaiting) = state.withLock { state in
            let late = state.entries.filter { $0.value.end < now }
            for id in late.keys { state.entries.removeValue(forKey: id) }
            return (late.values.map(\.resume), !state.entries.isEmpty)
        }
        for resume in late { resume(.lost(wasPostponed: false)) }
        return isWaiting
    }

    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            defer { state.entries = [:] }
            return state.entries
        }
        for entry in entries.values { entry.resume(.lost(wasPostponed: entry.isPostponed)) }
    }
}
