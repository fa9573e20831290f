import AviaryRuntime
import Foundation
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix
import ServiceLifecycle

/// A service that serves HTTP/1.1 on a socket that is already listening.
///
/// Hummingbird's own `Application` binds its sockets itself. A worker inherits its socket and shares it with other
/// workers.
package struct HTTPService<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let descriptor: CInt
    let responder: Responder
    let eventLoopGroup: any EventLoopGroup
    let logger: Logger
    /// The metrics that count open connections, or nil if connections are not counted.
    let metrics: HTTPMetrics?
    let limits: ConnectionLimits
    /// A closure that returns how long the drain waits for connections without a request.
    ///
    /// It is called when draining begins, so that the caller can decide late.
    let linger: @Sendable () -> Duration
    /// A closure that is called when draining has begun. From then on every answer closes its connection.
    let drainingBegan: @Sendable () -> Void

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - descriptor: The listening socket's descriptor. The caller owns it.
    ///   - metrics: The metrics that count open connections, or nil if connections are not counted.
    ///   - linger: A closure that returns how long the drain waits for connections without a request.
    ///   - drainingBegan: A closure that is called when draining has begun.
    package init(
        descriptor: CInt, responder: Responder, eventLoopGroup: any EventLoopGroup, logger: Logger,
        metrics: HTTPMetrics? = nil, limits: ConnectionLimits = .standard,
        linger: @escaping @Sendable () -> Duration = { .seconds(1) },
        drainingBegan: @escaping @Sendable () -> Void = {}
    ) {
        self.descriptor = descriptor
        self.responder = responder
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
        self.metrics = metrics
        self.limits = limits
        self.linger = linger
        self.drainingBegan = drainingBegan
    }

    package func run() async throws {
        let eventLoops = Array(eventLoopGroup.makeIterator())
        let loops = eventLoops.map {
            let connections = HTTPConnectionRegistry(
                $0, limits: limits, share: eventLoops.count, metrics: metrics)
            return Loop(executor: EventLoopTaskExecutor($0), connections: connections)
        }
        let drain = ConnectionDrain(connections: loops.map(\.connections))
        let acceptor = try ConnectionAcceptor(descriptor, limit: limits.connections) { [limits] in
            for loop in loops { loop.connections.makeRoom(limits) }
        }
        acceptor.start()
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { connections in
                var next = 0
                for await socket in acceptor.connections {
                    let loop = loops[next % loops.count]
                    next += 1
                    connections.addTask(executorPreference: loop.executor) {
                        metrics?.connectionBegan()
                        await serve(socket, on: loop)
                        metrics?.connectionEnded()
                        acceptor.connectionEnded()
                    }
                }
            }
        } onCancelOrGracefulShutdown: {
            drain.begin(linger: linger())
            acceptor.stop()
            drainingBegan()
        }
    }

    private struct Loop: Sendable {
        let executor: EventLoopTaskExecutor
        let connections: HTTPConnectionRegistry
    }

    private func serve(_ socket: CInt, on loop: Loop) async {
        let work = ConnectionTask()
        let child = ConnectionChannel(
            descriptor: socket, limits: limits, work: work, connections: loop.connections,
            responder: { request, writer, channel in
                try await respond(to: request, writer: writer, channel: channel)
            }
        )
        let task = Task(executorPreference: loop.executor) {
            do {
                let connection = try await ClientBootstrap(group: loop.executor.eventLoop)
                    .channelOption(.allowRemoteHalfClosure, value: true)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    // The limit of one read, and therefore of the bytes that a connection holds before they are
                    // examined.
                    .channelOption(
                        .recvAllocator,
                        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 16_384)
                    )
                    .withConnectedSocket(socket) { [logger] channel in child.setup(channel: channel, logger: logger) }
                await child.handle(value: connection, logger: logger)
            } catch {
                // The client disconnected before the connection was set up.
                logger.debug("a connection could not be set up", metadata: ["error": "\(error)"])
            }
        }
        work.begin(task)
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            work.cancel()
        }
    }

    private func respond(
        to request: Request, writer: consuming ResponseWriter, channel: any Channel
    ) async throws {
        var requestLogger = logger
        requestLogger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
        let context = Responder.Context(
            source: ApplicationRequestContextSource(channel: channel, logger: requestLogger)
        )
        var response: Response
        do {
            response = try await responder.respond(to: request, context: context)
        } catch {
            // The outermost middleware answers all errors. An error that arrives here is a defect and is logged.
            requestLogger.error("a request ended without an answer", error: error)
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = HTTPDate.now
        if request.method == .head {
            response = response.createHeadResponse()
        }
        try await writer.write(response: response.head, body: response.body)
    }
}

/// The drain of a server's connections, which ends them without failing a request.
///
/// From ``begin(linger:)`` on every answer says `Connection: close`, and the connection ends with it. The drain
/// waits a little longer for a connection without a request, because its client may have sent one before it could
/// know. Then the server closes the connection, unless a request is already in the socket's receive buffer. A
/// connection that is accepted later has the same time from its start.
struct ConnectionDrain: Sendable {
    let connections: [HTTPConnectionRegistry]

    func begin(linger: Duration) {
        for connections in connections { connections.drain(linger: TimeAmount(linger)) }
    }
}

/// An executor that runs tasks on an event loop. A connection's tasks run on the event loop of its socket.
///
/// A hop to another thread and back costs more than most pages do.
final class EventLoopTaskExecutor: TaskExecutor {
    let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Runs work that may take long outside the event loop, which meanwhile serves other connections.
package func offloadFromEventLoop<Result>(_ work: () async throws -> Result) async throws -> Result {
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
}

/// The `Date` header (RFC 9110, section 6.6.1). Its text is formatted once per second.
enum HTTPDate {
    private struct Cached {
        var second = 0
        var text = ""
    }

    private static let cached = NIOLockedValueBox(Cached())
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static var now: String {
        let second = time(nil)
        return cached.withLockedValue { cached in
            if cached.second != second {
                cached = Cached(second: second, text: format(second))
            }
            return cached.text
        }
    }

    static func format(_ second: Int) -> String {
        var second = time_t(second)
        var parts = tm()
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = days[Int(parts.tm_wday) % 7]
        let month = months[Int(parts.tm_mon) % 12]
        return "\(day), \(two(parts.tm_mday)) \(month) \(1900 + parts.tm_year) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
