import AviaryRuntime
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves HTTP/1.1 on a socket that is listening already.
///
/// Hummingbird's own `Application` binds its sockets itself; a worker inherits one and shares it with others.
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
        let executors = eventLoopGroup.makeIterator().map(EventLoopTaskExecutor.init)
        let acceptor = try ConnectionAcceptor(descriptor)
        acceptor.start()
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { connections in
                var next = 0
                for await socket in acceptor.connections {
                    let executor = executors[next % executors.count]
                    next += 1
                    connections.addTask(executorPreference: executor) {
                        await serve(socket, on: executor.eventLoop, as: child, drain: drain)
                    }
                }
            }
        } onCancelOrGracefulShutdown: {
            acceptor.stop()
            drain.begin()
        }
    }

    private func serve(
        _ socket: CInt, on eventLoop: any EventLoop, as child: HTTP1Channel, drain: ConnectionDrain
    ) async {
        do {
            let connection = try await ClientBootstrap(group: eventLoop)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .withConnectedSocket(socket) { [logger] channel in
                    drain.track(channel)
                    return child.setup(channel: channel, logger: logger)
                }
            await child.handle(value: connection, logger: logger)
        } catch {
            // The client was gone before we got to it.
            logger.debug("a connection could not be set up", metadata: ["error": "\(error)"])
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
