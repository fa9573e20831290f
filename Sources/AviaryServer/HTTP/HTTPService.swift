import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves HTTP/1.1 on a socket that is listening already.
///
/// Hummingbird's own `Application` binds its sockets itself; a worker inherits one.
struct HTTPService<Responder: HTTPResponder>: Service where Responder.Context == AdminRequestContext {
    let descriptor: CInt
    let responder: Responder
    let eventLoopGroup: any EventLoopGroup
    let logger: Logger

    /// How long a connection may be silent.
    private static var idleTimeout: TimeAmount { .seconds(60) }
    /// How long connections that are open when draining begins may take to send what they have begun.
    private static var linger: Duration { .seconds(1) }

    func run() async throws {
        let drain = ConnectionDrain(linger: Self.linger)
        let child = HTTP1Channel(
            responder: { request, writer, channel in
                try await respond(to: request, writer: writer, channel: channel, drain: drain)
            },
            configuration: .init(idleTimeout: Self.idleTimeout)
        )
        let server = try await ServerBootstrap(group: eventLoopGroup)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .bind(descriptor, serverBackPressureStrategy: nil) { [logger] channel in
                drain.track(channel)
                return child.setup(channel: channel, logger: logger)
            }
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { connections in
                do {
                    try await server.executeThenClose { inbound in
                        for try await connection in inbound {
                            connections.addTask { [logger] in await child.handle(value: connection, logger: logger) }
                        }
                    }
                } catch {
                    logger.error("accepting connections ended", metadata: ["error": "\(error)"])
                }
            }
        } onGracefulShutdown: {
            drain.begin(server.channel)
        }
    }

    private func respond(
        to request: Request, writer: consuming ResponseWriter, channel: any Channel, drain: ConnectionDrain
    ) async throws {
        var requestLogger = logger
        requestLogger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
        let context = AdminRequestContext(
            source: ApplicationRequestContextSource(channel: channel, logger: requestLogger)
        )
        var response: Response
        do {
            response = try await responder.respond(to: request, context: context)
        } catch {
            // The outermost middleware answers every error; what still arrives here is a defect worth a line.
            requestLogger.error("a request ended without an answer", metadata: ["error": "\(error)"])
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = HTTPDate.now
        if drain.isDraining {
            response.headers[.connection] = "close"
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        if request.method == .head {
            response = response.createHeadResponse()
        }
        try await writer.write(response: response.head, body: response.body)
    }
}
