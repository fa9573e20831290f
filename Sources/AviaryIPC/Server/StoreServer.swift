package import AviaryDomain
import CSupport
package import Foundation
package import Logging
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Serves the store on a Unix socket: requests of any number of clients, answered as they are done.
package struct StoreServer: Sendable {
    private let service: any StoreService
    private let admission: Admission
    private let versions: ProtocolVersions
    private let limits: ServerLimits
    private let logger: Logger

    /// - Parameters:
    ///   - schema: The store's, which clients must fit.
    ///   - versions: The versions of the protocol that it speaks.
    package init(
        service: any StoreService, schema: Schema, versions: ProtocolVersions = .own,
        limits: ServerLimits = ServerLimits(), logger: Logger
    ) {
        self.service = service
        admission = Admission(schema: schema)
        self.versions = versions
        self.limits = limits
        self.logger = logger
    }

    /// Serves until the task is cancelled; then answers what is under way.
    ///
    /// - Parameter descriptor: a listening Unix socket; taken over.
    package func run(on descriptor: CInt) async throws {
        let connections = OpenConnections(limit: limits.connections)
        let budget = RequestWindow(requests: limits.allRequestsInFlight, bytes: limits.allBytesInFlight)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                isOwnUser(channel).flatMapThrowing { isOwn in
                    guard isOwn else {
                        logger.warning("a connection of another user was refused")
                        throw Refused()
                    }
                    try configure(channel, connections, budget)
                }
            }
            .childChannelOption(.maxMessagesPerRead, value: 16)
            .withBoundSocket(descriptor).get()
        await withTaskCancellationHandler {
            _ = try? await server.closeFuture.get()  // however it ended, the connections end too
        } onCancel: {
            server.close(promise: nil)
        }
        await end(connections)
    }

    private struct Refused: Error {}

    private func configure(_ channel: any Channel, _ connections: OpenConnections, _ budget: RequestWindow) throws {
        let frameLimit = FrameDecoder.Limit(limits.largestHello)
        let handler = ServerHandler(
            admission: admission, versions: versions, service: service, limits: limits, frameLimit: frameLimit,
            connection: ServerConnection(outbox: Outbox(channel), budget: budget), logger: logger
        )
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        let isAdded = connections.add(channel) { channel.eventLoop.execute { bound.value.drain() } }
        guard isAdded else {
            if connections.isFirstRefusal { logger.warning("connections too many are refused") }
            throw Refused()
        }
        let decoder = FrameDecoder(limit: frameLimit, patience: .init(limits.transfer))
        try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(decoder), handler)
    }

    /// In a task of its own: this one is cancelled.
    private func end(_ connections: OpenConnections) async {
        connections.drain()
        await Task { [limits] in
            let end = ContinuousClock.now + limits.drain
            while !connections.isEmpty, .now < end { try? await Task.sleep(for: .milliseconds(5)) }  // is not cancelled
        }.value
        connections.close()
    }

    /// The socket's permissions keep other users out already; this also holds where somebody widened them.
    private func isOwnUser(_ channel: any Channel) -> EventLoopFuture<Bool> {
        #if os(Linux)
            guard let provider = channel as? any SocketOptionProvider else {
                return channel.eventLoop.makeSucceededFuture(false)
            }
            let peer: EventLoopFuture<aviary_peer> =
                provider
                .unsafeGetSocketOption(level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
            return peer.map { $0.user == geteuid() }.recover { _ in false }
        #else
            return channel.eventLoop.makeSucceededFuture(true)
        #endif
    }
}

/// What the socket's server serves: the store, seen through protocols.
package protocol StoreService: ChangeWriter, StoreReplacing {
    /// Accepts writes that arrived together, in their order, and answers each when its commit is on disk.
    func enqueue(_ writes: [QueuedWrite])
    func status() async -> StoreStatus
    /// Takes what a worker recorded, and tells the sums of all if it asks for them.
    func exchangeMetrics(_ report: Data) async -> Data
    /// Begins a check of the store's file, in which a read has met damage. Does not wait for its end.
    func checkFile() async
    /// Ends the hold of a holder whose connection has ended; does nothing when it holds no writes.
    func abandonWrites(for holder: UUID) async
    /// Commits what is open and lets go of the directory.
    func close() async
}

extension StoreService {
    /// One by one, for a store that does not take several at once.
    package func enqueue(_ writes: [QueuedWrite]) {
        for queued in writes {
            Task {
                do throws(StoreError) {
                    if let deadline = queued.deadline, deadline.isPast { throw .expired }
                    queued.answer(.success(try await write(queued.request)))
                } catch {
                    queued.answer(.failure(error))
                }
            }
        }
    }

    /// A store that has no file.
    package func checkFile() async {}

    /// A store that keeps no sums.
    package func exchangeMetrics(_ report: Data) async -> Data { Data() }
}

/// What clients of the store's socket may ask of it, so that none can hurt the others.
package struct ServerLimits: Sendable {
    /// Of the first frame, before it is known who sends it.
    package var largestHello = 1024 * 1024
    /// Of a worker, which sends what a form holds.
    package var largestFormFrame = 16 * 1024 * 1024
    /// Of others, such as commands, whose change sets may be longer than a form's.
    package var largestFrame = 256 * 1024 * 1024
    /// Within which a client must have said who it is.
    package var handshake: Duration = .seconds(5)
    /// Within which a frame that has begun must be complete, and within which some answers must be read.
    package var transfer: Duration = .seconds(30)
    /// Requests of one client that are not answered; behind them nothing is read from it.
    package var requestsInFlight = 2048
    /// Of all clients; what comes beyond is answered that the store is busy.
    package var allRequestsInFlight = 8192
    package var allBytesInFlight = 512 * 1024 * 1024
    package var connections = 512
    /// Within which what is under way is answered when the server ends.
    package var drain: Duration = .seconds(2)

    package init() {}

    func largestFrame(of client: ClientIdentity) -> Int {
        client.kind == .worker ? largestFormFrame : largestFrame
    }
}
