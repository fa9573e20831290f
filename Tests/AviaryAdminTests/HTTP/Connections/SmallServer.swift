import AviaryRuntime
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

/// The HTTP service alone, in the test's own process.
struct SmallServer: Sendable {
    let port: Int
    /// An event that happens when the server has served its last connection.
    let end: Event
    /// An event that happens when the server begins to end its connections.
    private let draining: Event
    private let group: ServiceGroup

    /// Runs the body with a server.
    ///
    /// - Parameters:
    ///   - linger: The time that the server waits for idle connections when it ends.
    ///   - answer: The handler of all routes; it returns a short text by default.
    static func use(
        _ limits: ConnectionLimits = .with { _ in }, linger: Duration = .seconds(1),
        answer: @escaping @Sendable (Request) async throws -> Response = { _ in .text("here\n") },
        _ body: (SmallServer) async throws -> Void
    ) async throws {
        try await use(
            limits, linger: linger, responder: CallbackResponder { request, _ in try await answer(request) }, body)
    }

    static func use(
        _ limits: ConnectionLimits = .with { _ in }, linger: Duration = .seconds(1),
        eventLoops: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        responder: CallbackResponder<AdminRequestContext>, _ body: (SmallServer) async throws -> Void
    ) async throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        defer { close(socket.descriptor) }
        var logger = Logger(label: "small")
        logger.logLevel = .critical
        let draining = Event()
        let service = HTTPService(
            descriptor: socket.descriptor, responder: responder,
            eventLoopGroup: eventLoops, logger: logger, limits: limits,
            linger: { linger },
            drainingBegan: { draining.happen() }
        )
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            let end = Event()
            tasks.addTask {
                try await group.run()
                end.happen()
            }
            do {
                try await body(SmallServer(port: socket.port, end: end, draining: draining, group: group))
            } catch {
                tasks.cancelAll()
                throw error
            }
            tasks.cancelAll()
        }
    }

    /// Ends the server as a signal does. Returns when it begins to end its connections.
    func drain() async {
        await group.triggerGracefulShutdown()
        _ = await draining.happens()
    }

    func client(receiveBuffer: Int32? = nil, sending beginning: String = "") throws -> Client {
        try Client(port: port, receiveBuffer: receiveBuffer, sending: beginning)
    }

    /// Returns a client that has received an answer and keeps its connection.
    func idleClient() async throws -> Client {
        let client = try client(sending: "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        try #require(await client.receiveAnswer().status == 200)
        return client
    }
}

extension ConnectionLimits {
    /// Returns the standard limits with the test's changes.
    ///
    /// A client may take a long time, so that a machine that pauses fails no test. A test of a time sets it.
    static func with(_ change: (inout ConnectionLimits) -> Void) -> ConnectionLimits {
        var limits = ConnectionLimits.standard
        limits.head = .seconds(600)
        limits.idle = .seconds(600)
        limits.transfer = .seconds(600)
        change(&limits)
        return limits
    }
}

/// An event that happens once and can be waited for.
struct Event: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func happen() {
        continuation.yield()
        continuation.finish()
    }

    /// Returns whether the event happened within the time.
    ///
    /// The time is generous: it only keeps a failing test from waiting forever.
    func happens(within bound: Duration = Patience.bound) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { [stream] in
                for await _ in stream { return true }
                return !Task.isCancelled
            }
            group.addTask {
                try? await Task.sleep(for: bound)  // the event cancels the sleep
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
