import Foundation
package import NIOCore
package import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP/1.1 client that exposes the behaviour of the server.
///
/// The client follows no redirect, retries no request and hides no lost connection, so a load run and a test
/// observe what the server did. It uses NIO's own codec, because the client libraries for NIO depend on a TLS
/// library, which would be the largest part of the package's build, and the harness connects to servers on this
/// machine. The client supports neither TLS nor content encodings.
///
/// ```swift
/// let client = HTTPClient(maximumConnections: 1)
/// let response = try await client.send(HTTPClient.Request(url: "http://127.0.0.1:8080/admin"))
/// await client.shutdown()
/// ```
package final class HTTPClient: Sendable {
    package struct Request: Sendable {
        package var method: HTTPMethod
        /// The URL with scheme, host, port, path and query.
        package var url: String
        package var headers: HTTPHeaders
        package var body: ByteBuffer?

        package init(
            url: String, method: HTTPMethod = .GET, headers: HTTPHeaders = HTTPHeaders(), body: ByteBuffer? = nil
        ) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
        }
    }

    package struct Response: Sendable {
        package let status: HTTPResponseStatus
        package let headers: HTTPHeaders
        package let body: ByteBuffer
    }

    /// The connections to one server.
    private struct Pool {
        var idle: [(channel: any Channel, since: NIODeadline)] = []
        /// The number of requests in progress.
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let maximumConnections: Int
    private let patience: TimeAmount
    private let connectPatience: TimeAmount
    private let localAddress: String?
    private let pools = Mutex<[String: Pool]>([:])

    /// The longest time that a connection may be idle and still be used again.
    ///
    /// It is shorter than a server's idle time-out: a connection that the server closes would look like a lost
    /// connection.
    private static let longestRest = TimeAmount.seconds(10)

    /// The largest body of a response, in bytes; a longer one is an error.
    static let maximumBodySize = 16 << 20

    /// Creates a client that connects when it sends its first request.
    ///
    /// - Parameters:
    ///   - maximumConnections: The maximum number of requests in progress. Further requests wait.
    ///   - patience: The time-out for a silent server, before its response or in the middle of it.
    ///   - connectPatience: The time-out for a connection attempt.
    ///   - localAddress: The local IP address of the connections; nil to let the system choose one.
    package init(
        maximumConnections: Int, patience: TimeAmount = .seconds(10), connectPatience: TimeAmount = .seconds(2),
        localAddress: String? = nil
    ) {
        self.maximumConnections = max(1, maximumConnections)
        self.patience = patience
        self.connectPatience = connectPatience
        self.localAddress = localAddress
    }

    deinit {
        for rest in pools.withLock({ $0.values.flatMap(\.idle) }) { rest.channel.close(promise: nil) }
    }

    /// Sends a request and returns the whole response.
    ///
    /// - Throws: ``HTTPClientError``, the system's error when the server cannot be reached, or `CancellationError`.
    package func send(_ request: Request) async throws -> Response {
        let target = try Target(request.url)
        await acquireSlot(at: target.authority)
        var channel: (any Channel)?
        do {
            let connection = try await connection(to: target)
            channel = connection
            let (response, keepsAlive) = try await exchange(request, target, on: connection)
            if !keepsAlive { connection.close(promise: nil) }
            releaseSlot(at: target.authority, keeping: keepsAlive ? connection : nil)
            return response
        } catch {
            channel?.close(promise: nil)
            releaseSlot(at: target.authority, keeping: nil)
            throw Task.isCancelled ? CancellationError() : error
        }
    }

    /// Closes the connections. No request may be in progress.
    package func shutdown() async {
        let idle = pools.withLock { pools in
            defer { pools = [:] }
            return pools.values.flatMap(\.idle)
        }
        for rest in idle {
            // The server may have closed the connection already.
            try? await rest.channel.close()
        }
    }

    // MARK: Connections

    private func acquireSlot(at server: String) async {
        await withCheckedContinuation { continuation in
            let isFree = pools.withLock { pools in
                guard pools[server, default: Pool()].count < maximumConnections else {
                    pools[server, default: Pool()].waiting.append(continuation)
                    return false
                }
                pools[server, default: Pool()].count += 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func releaseSlot(at server: String, keeping channel: (any Channel)?) {
        let next: CheckedContinuation<Void, Never>? = pools.withLock { pools in
            if let channel { pools[server, default: Pool()].idle.append((channel, .now())) }
            // The next request takes over the place of this one, so the count stays.
            guard pools[server, default: Pool()].waiting.isEmpty else { return pools[server]?.waiting.removeFirst() }
            pools[server, default: Pool()].count -= 1
            return nil
        }
        next?.resume()
    }

    private func connection(to target: Target) async throws -> any Channel {
        while let rest = pools.withLock({ $0[target.authority, default: Pool()].idle.popLast() }) {
            if rest.channel.isActive, NIODeadline.now() - rest.since < Self.longestRest { return rest.channel }
            rest.channel.close(promise: nil)
        }
        return try await connect(to: target)
    }

    private func connect(to target: Target) async throws -> any Channel {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(connectPatience)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { [patience] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(ExchangeHandler(patience: patience))
                }
            }
        if let localAddress { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: localAddress, port: 0)) }
        do {
            if let address = try? SocketAddress(ipAddress: target.host, port: target.port) {  // else it is a name
                return try await bootstrap.connect(to: address).get()
            }
            return try await bootstrap.connect(host: target.host, port: target.port).get()
        } catch ChannelError.connectTimeout {
            throw HTTPClientError.connectTimeout
        }
    }

    private func exchange(
        _ request: Request, _ target: Target, on channel: any Channel
    ) async throws -> (response: Response, keepsAlive: Bool) {
        var head = HTTPRequestHead(version: .http1_1, method: request.method, uri: target.uri, headers: request.headers)
        if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: target.authority) }
        if !head.headers.contains(name: "Content-Length"), request.body != nil || request.method == .POST {
            head.headers.add(name: "Content-Length", value: String(request.body?.readableBytes ?? 0))
        }
        let promise = channel.eventLoop.makePromise(of: ExchangeHandler.Outcome.self)
        return try await withTaskCancellationHandler {
            // A connection that closed in the meantime no longer has a handler that could fail the exchange.
            let written = channel.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenFailure { _ in promise.fail(HTTPClientError.connectionClosed) }
            channel.writeAndFlush(
                ExchangeHandler.Exchange(head: head, body: request.body, promise: promise), promise: written)
            let outcome = try await promise.futureResult.get()
            return (
                Response(status: outcome.head.status, headers: outcome.head.headers, body: outcome.body),
                outcome.head.isKeepAlive
            )
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

/// An error of an exchange with a server.
package struct HTTPClientError: Error, Hashable, CustomStringConvertible {
    private enum Code { case invalidURL, connectTimeout, readTimeout, connectionClosed, bodyTooLarge }

    private let code: Code

    /// An invalid URL, or a URL with another scheme than `http`.
    package static let invalidURL = HTTPClientError(code: .invalidURL)
    /// A connection that the server did not accept in time.
    package static let connectTimeout = HTTPClientError(code: .connectTimeout)
    /// A server that sent nothing for longer than the client's `patience`. It may have executed the request.
    package static let readTimeout = HTTPClientError(code: .readTimeout)
    /// A connection that the server closed before its response was complete.
    package static let connectionClosed = HTTPClientError(code: .connectionClosed)
    /// A response of more than 16 MiB.
    package static let bodyTooLarge = HTTPClientError(code: .bodyTooLarge)

    package var description: String { "\(code)" }
}

/// The parts of a request's URL.
private struct Target {
    let host: String
    let port: Int
    let authority: String
    let uri: String

    /// Parses a URL. A URL that needs no percent-encoding is split in place, because a load run sends many
    /// requests.
    init(_ url: String) throws(HTTPClientError) {
        let prefix = "http://"
        guard url.hasPrefix(prefix) else { throw .invalidURL }
        let rest = url.dropFirst(prefix.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        authority = String(rest[..<end])
        guard let parts = URLComponents(string: prefix + authority), let host = parts.host, !host.isEmpty else {
            throw .invalidURL
        }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? 80
        var uri = String(rest[end...].prefix { $0 != "#" })
        if !uri.utf8.allSatisfy(Self.isPlain) {
            guard let components = URLComponents(string: prefix + authority + uri) else { throw .invalidURL }
            uri = components.percentEncodedPath + (components.percentEncodedQuery.map { "?" + $0 } ?? "")
        }
        self.uri = uri.hasPrefix("/") ? uri : "/" + uri
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@/?%".utf8.contains(byte)
        }
    }
}

/// A channel handler for one exchange at a time on a connection.
private final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPClientRequestPart

    struct Exchange: Sendable {
        let head: HTTPRequestHead
        let body: ByteBuffer?
        let promise: EventLoopPromise<Outcome>
    }

    struct Outcome: Sendable {
        let head: HTTPResponseHead
        let body: ByteBuffer
    }

    private let patience: TimeAmount
    private var promise: EventLoopPromise<Outcome>?
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    private var timer: Scheduled<Void>?
    private var lastRead = NIODeadline.now()

    init(patience: TimeAmount) {
        self.patience = patience
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise writePromise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        guard context.channel.isActive else {
            writePromise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        promise = exchange.promise
        head = nil
        body = context.channel.allocator.buffer(capacity: 0)
        lastRead = .now()
        watch(context)
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: writePromise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = .now()
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(var part):
            guard body.readableBytes + part.readableBytes <= HTTPClient.maximumBodySize else {
                return fail(context, HTTPClientError.bodyTooLarge)
            }
            if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
        case .end:
            guard let head else { return }
            timer?.cancel()
            promise?.succeed(Outcome(head: head, body: body))
            promise = nil
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(context, HTTPClientError.connectionClosed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(context, error is HTTPParserError || error is IOError ? HTTPClientError.connectionClosed : error)
    }

    private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
        timer?.cancel()
        promise?.fail(error)
        promise = nil
        context.close(promise: nil)
    }

    /// Schedules the read time-out, which fails the exchange when nothing was read for as long as `patience`.
    ///
    /// The exchange has one timer, not a new one for each read.
    private func watch(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: lastRead + patience) {
            let (handler, context) = bound.value
            guard handler.promise != nil else { return }
            if NIODeadline.now() - handler.lastRead >= handler.patience {
                handler.fail(context, HTTPClientError.readTimeout)
            } else {
                handler.watch(context)
            }
        }
    }
}
