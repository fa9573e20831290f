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

/// A server for the store on a Unix socket. It answers requests of any number of clients as they finish.
package struct StoreServer: Sendable {
    private let service: any StoreService
    private let admission: WriteAdmission
    private let versions: ProtocolVersions
    private let limits: ServerLimits
    private let logger: Logger

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - schema: The store's schema, which clients must fit.
    ///   - versions: The versions of the protocol that the server speaks.
    package init(
        service: any StoreService, schema: Schema, versions: ProtocolVersions = .own,
        limits: ServerLimits = ServerLimits(), logger: Logger
    ) {
        self.service = service
        admission = WriteAdmission(schema: schema)
        self.versions = versions
        self.limits = limits
        self.logger = logger
    }

    /// Serves until the task is cancelled, and then answers the requests in flight.
    ///
    /// - Parameter descriptor: A listening Unix socket. The server takes ownership of it.
    package func run(on descriptor: CInt) async throws {
        let connections = StoreConnectionRegistry(limit: limits.connections)
        let budget = InFlightLimit(requests: limits.allRequestsInFlight, bytes: limits.allBytesInFlight)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                isOwnUser(channel).flatMapThrowing { isOwn in
                    guard isOwn else {
                        logger.warning("a connection of another user was refused")
                        throw RejectedPeer()
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

    private struct RejectedPeer: Error {}

    private func configure(_ channel: any Channel, _ connections: StoreConnectionRegistry, _ budget: InFlightLimit)
        throws
    {
        let frameLimit = FrameDecoder.Limit(limits.largestHello)
        let handler = ServerHandler(
            admission: admission, versions: versions, service: service, limits: limits, frameLimit: frameLimit,
            connection: ServerConnection(outbox: FrameWriteBuffer(channel), budget: budget), logger: logger
        )
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        let isAdded = connections.add(channel) { channel.eventLoop.execute { bound.value.drain() } }
        guard isAdded else {
            if connections.isFirstRefusal { logger.warning("connections too many are refused") }
            throw RejectedPeer()
        }
        let decoder = FrameDecoder(limit: frameLimit, patience: .init(limits.transfer))
        try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(decoder), handler)
    }

    /// Drains the connections within the limit, and closes them.
    ///
    /// It sleeps in a task of its own because the caller's task is cancelled.
    private func end(_ connections: StoreConnectionRegistry) async {
        connections.drain()
        await Task { [limits] in
            let end = ContinuousClock.now + limits.drain
            while !connections.isEmpty, .now < end { try? await Task.sleep(for: .milliseconds(5)) }  // is not cancelled
        }.value
        connections.close()
    }

    /// Checks whether the peer runs as this process's user.
    ///
    /// The socket's permissions already keep other users out; this check also holds when somebody has widened
    /// them.
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

/// The store behind the socket's server, expressed in protocols.
package protocol StoreService: ChangeWriter, StoreReplacing {
    /// Writes requests that arrived together, in their order, and answers each when its commit is on disk.
    func enqueue(_ writes: [QueuedWrite])
    func status() async -> StoreStatus
    /// Stores a worker's measurements, and returns the sums of all processes if the report asks for them.
    func exchangeMetrics(_ report: Data) async -> Data
    /// Begins a check of the store's file after a read has met damage. It does not wait for the check to end.
    func checkFile() async
    /// Stops a large delete or undo that is not committed yet, so that nothing of it is done. Its requester gets
    /// ``StoreError/Code/stopped``.
    func stopLongChange(_ changeSet: UUID) async
    /// Ends the lease of a holder whose connection has ended; does nothing when the holder has no lease.
    func abandonWriteLease(for holder: UUID) async
    /// Commits the open batch and releases the directory.
    func close() async
}

extension StoreService {
    /// Performs the requests one by one, for a store that does not take several at once.
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

    /// Begins no check: this store has no file.
    package func checkFile() async {}

    /// Stops nothing: this store makes no change in steps.
    package func stopLongChange(_ changeSet: UUID) async {}

    /// Returns no data: this store keeps no sums.
    package func exchangeMetrics(_ report: Data) async -> Data { Data() }
}

/// The limits of the clients of the store's socket. They protect clients from one another.
package struct ServerLimits: Sendable {
    /// The size of the largest first frame, in bytes. The server reads it before it knows who sends it.
    package var largestHello = 1024 * 1024
    /// The size of the largest frame of a worker, in bytes. A worker sends the contents of a form.
    package var largestFormFrame = 16 * 1024 * 1024
    /// The size of the largest frame of another client, in bytes.
    ///
    /// A command's change set may be longer than a form's.
    package var largestFrame = 256 * 1024 * 1024
    /// The time within which a client must send its greeting.
    package var handshake: Duration = .seconds(5)
    /// The time within which a frame that has begun must be complete, and within which a client must read some
    /// answers.
    package var transfer: Duration = .seconds(30)
    /// The number of unanswered requests of one client. Beyond it, the server stops reading from this client.
    package var requestsInFlight = 2048
    /// The number of unanswered requests of all clients. The server answers further requests with "busy".
    package var allRequestsInFlight = 8192
    package var allBytesInFlight = 512 * 1024 * 1024
    package var connections = 512
    /// The time within which requests in flight are answered when the server ends.
    package var drain: Duration = .seconds(2)

    package init() {}

    func largestFrame(of client: ClientIdentity) -> Int {
        client.kind == .worker ? largestFormFrame : largestFrame
    }
}
