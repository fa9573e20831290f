import AviaryDomain
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// A connection to the store that all requests of a process share. The link reconnects after a loss.
final class ReconnectingConnection: Sendable {
    enum Failure: Error {
        /// A store that cannot be reached now. It may be available later.
        case unreachable
        /// A rejection of this process, with the reason in the store's words.
        case refused(String)
    }

    private enum State {
        case none
        case connecting(EventLoopFuture<ClientConnection>)
        case open(ClientConnection)
        /// A rejection of this process. The link does not connect again before the given time.
        case refused(String, until: MonotonicTime)
        case closed
    }

    private let path: String
    private let identity: ClientIdentity
    private let versions: ProtocolVersions
    private let limits: ClientLimits
    private let logger: Logger
    private let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    private let state = Mutex(State.none)
    private let lastRefusal: Mutex<String?> = Mutex(nil)

    init(
        path: String, identity: ClientIdentity, versions: ProtocolVersions, limits: ClientLimits, logger: Logger
    ) {
        self.path = path
        self.identity = identity
        self.versions = versions
        self.limits = limits
        self.logger = logger
    }

    deinit {
        state.withLock { if case .open(let connection) = $0 { connection.close() } }
    }

    /// Returns the connection. The link opens a new one when there is none or the last one has ended.
    func connection(until deadline: MonotonicTime) async throws(Failure) -> ClientConnection {
        let future: EventLoopFuture<ClientConnection>
        switch current() {
        case .success(.left(let connection)): return connection
        case .success(.right(let connecting)): future = connecting
        case .failure(let failure): throw failure
        }
        do {
            return try await wait(for: future, until: deadline)
        } catch {
            if case ClientHandler.HandshakeError.rejection(let reason) = error { throw .refused(reason) }
            throw .unreachable
        }
    }

    private enum Either {
        case left(ClientConnection)
        case right(EventLoopFuture<ClientConnection>)
    }

    private func current() -> Result<Either, Failure> {
        let begun: (EventLoopFuture<ClientConnection>, EventLoopPromise<ClientConnection>)?
        let result: Result<Either, Failure>
        (result, begun) = state.withLock { state in
            switch state {
            case .open(let connection) where connection.isActive: return (.success(.left(connection)), nil)
            case .connecting(let future): return (.success(.right(future)), nil)
            case .refused(let reason, let end) where !end.isPast: return (.failure(.refused(reason)), nil)
            case .none, .open, .refused:
                let promise = group.any().makePromise(of: ClientConnection.self)
                state = .connecting(promise.futureResult)
                return (.success(.right(promise.futureResult)), (promise.futureResult, promise))
            case .closed: return (.failure(.unreachable), nil)
            }
        }
        if let (_, promise) = begun { connect(promise) }
        return result
    }

    private func connect(_ promise: EventLoopPromise<ClientConnection>) {
        let opened = ClientConnection.open(path: path, as: identity, speaking: versions, limits: limits, on: group)
        opened.whenComplete { [weak self] result in
            self?.finish(result)
            promise.completeWith(result)
        }
    }

    private func finish(_ result: Result<ClientConnection, any Error>) {
        let next: State
        switch result {
        case .success(let connection):
            next = .open(connection)
            lastRefusal.withLock { $0 = nil }
        case .failure(ClientHandler.HandshakeError.rejection(let reason)):
            next = .refused(reason, until: .now.advanced(by: limits.refusalPause))
            logReason(reason)
        case .failure:
            next = .none
        }
        state.withLock { state in
            if case .closed = state { return }
            state = next
        }
    }

    /// Logs the reason once, however often the store repeats it.
    private func logReason(_ reason: String) {
        let isNew = lastRefusal.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNew { logger.error("the store refuses this process", metadata: ["reason": "\(reason)"]) }
    }

    private func wait(
        for future: EventLoopFuture<ClientConnection>, until deadline: MonotonicTime
    ) async throws -> ClientConnection {
        let promise = future.eventLoop.makePromise(of: ClientConnection.self)
        future.cascade(to: promise)
        let timeout = future.eventLoop.scheduleTask(in: .init(deadline.remaining)) {
            promise.fail(ClientHandler.HandshakeError.lost)
        }
        defer { timeout.cancel() }
        return try await promise.futureResult.get()
    }

    func close() {
        let last = state.withLock { state in
            defer { state = .closed }
            return state
        }
        if case .open(let connection) = last { connection.close() }
    }
}
