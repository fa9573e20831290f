package import AviaryDomain
import CSupport
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
