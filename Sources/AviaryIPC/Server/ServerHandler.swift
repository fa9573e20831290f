import AviaryDomain
import Logging
import NIOCore

/// The store's end of a connection: it reads the client's greeting, and then any number of requests at once.
///
/// Confined to its channel's event loop.
final class ServerHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case awaitingHello(timeout: Scheduled<Void>?)
        case open(ClientSchema?, ClientIdentity.Kind)
        /// A connection that is ending: the handler reads nothing more, and closes once every request is answered.
        case draining
        case closed
    }

    private let admission: WriteAdmission
    private let versions: ProtocolVersions
    private let service: any StoreService
    private let limits: ServerLimits
    private let frameLimit: FrameDecoder.Limit
    private let connection: ServerConnection
    private let logger: Logger
    private var state = State.awaitingHello(timeout: nil)
    private var context: ChannelHandlerContext?
    /// The writes that arrived in this turn of the event loop.
    private var arrived: [QueuedWrite] = []
    private var isWritable = true
    private var isReadPending = false
    private var writeTimeout: Scheduled<Void>?

    init(
        admission: WriteAdmission, versions: ProtocolVersions, service: any StoreService, limits: ServerLimits,
        frameLimit: FrameDecoder.Limit, connection: ServerConnection, logger: Logger
    ) {
        self.admission = admission
        self.versions = versions
        self.service = service
        self.limits = limits
        self.frameLimit = frameLimit
        self.connection = connection
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let timeout = context.eventLoop.assumeIsolated().scheduleTask(in: .init(limits.handshake)) { [weak self] in
            guard let self, case .awaitingHello = self.state else { return }
            self.rejectAndClose("it did not say in time who it is.", isRefusal: false)
        }
        state = .awaitingHello(timeout: timeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as FrameDecoder.TooLarge:
            rejectAndClose("a frame of \(error.length) bytes is larger than the \(error.limit) that it takes.")
        default:
            logger.debug("a connection ended", metadata: ["error": "\(error)"])
            context.close(promise: nil)
        }
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (ReceivedFrame(unwrapInboundIn(data)), state) {
        case (_, .draining), (_, .closed): return
        case (.foreign(let version), _):
            rejectAndClose("\(ProtocolMismatch(store: versions, client: ProtocolVersions(version...version)))")
        case (.malformed, _): rejectAndClose("what it was sent is no frame.")
        case (.frame(let frame), .awaitingHello(let timeout)):
            timeout?.cancel()
            greet(frame)
        case (.frame(let frame), .open(let view, let kind)):
            guard frame.kind == .request else { return rejectAndClose("it was sent something else than a request.") }
            receive(frame, view, kind)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !arrived.isEmpty {
            service.enqueue(arrived)
            arrived.removeAll(keepingCapacity: true)
        }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        isReadPending = true
        resumeReading()
    }

    private var mayRead: Bool {
        switch state {
        case .awaitingHello: true
        case .open: isWritable && connection.requestsInFlight < limits.requestsInFlight
        case .draining, .closed: false
        }
    }

    private func resumeReading() {
        guard isReadPending, let context else { return }
        if !mayRead { connection.awaitAnswer() }
        guard mayRead else { return }
        isReadPending = false
        context.read()
    }

    // A client that does not read its answers must not fill the memory with them.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        writeTimeout?.cancel()
        writeTimeout = nil
        if isWritable {
            resumeReading()
        } else {
            writeTimeout = context.eventLoop.assumeIsolated().scheduleTask(in: .init(limits.transfer)) {
                context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Requests

    private func greet(_ frame: Frame) {
        // The answer does not say what is wrong with the greeting.
        guard frame.kind == .hello, let client = try? ClientIdentity(frame.body),
            let spoken = ProtocolVersions(greeting: frame.id)
        else {
            return rejectAndClose("it did not say who it is.")
        }
        let version: UInt8
        do {
            version = try ProtocolVersions.agreed(store: versions, client: spoken)
        } catch {
            return refuse(client, error.description)
        }
        switch admission.decide(client) {
        case .refused(let reason): refuse(client, reason)
        case .welcome(let view):
            frameLimit.bytes = limits.largestFrame(of: client)
            state = .open(view, client.kind)
            connection.speak(version)
            if let loop = context?.eventLoop { wakeReading(on: loop) }
            connection.outbox.append { $0.writeFrame(.welcome, id: UInt64(version)) { _ in } }
        }
    }

    private func refuse(_ client: ClientIdentity, _ reason: String) {
        logger.warning(
            "a client of the store's socket was refused",
            metadata: ["client": "\(client.pid)", "reason": "\(reason)"])
        rejectAndClose(reason)
    }

    private func wakeReading(on loop: any EventLoop) {
        let handler = NIOLoopBound(self, eventLoop: loop)
        connection.whenAnswered { loop.execute { handler.value.wasAnswered() } }
    }

    private func wasAnswered() {
        if case .draining = state { closeWhenAnswered() } else { resumeReading() }
    }

    private func receive(_ frame: Frame, _ view: ClientSchema?, _ kind: ClientIdentity.Kind) {
        guard !frame.deadline.isPast else { return connection.send(frame.id, .refused(.expired)) }
        let bytes = frame.body.readableBytes
        guard connection.begin(bytes: bytes) else { return connection.send(frame.id, .refused(.busy(retryAfter: 1))) }
        let request = ReceivedRequest(frame: frame, bytes: bytes, view: view, kind: kind, connection: connection)
        guard bytes <= ReceivedRequest.largestInPlace else {
            // Decoding the request here would keep other connections waiting.
            Task { [service] in
                if let write = await request.begin(with: service) { service.enqueue([write]) }
            }
            return
        }
        switch request.decoded() {
        case nil: break
        case .write(let write)?: arrived.append(write)
        case .other(let body)?: Task { [service] in await request.perform(body, with: service) }
        }
    }

    // MARK: Ending

    /// Answers the requests in flight, and closes.
    func drain() {
        guard case .open = state else { return close() }
        state = .draining
        closeWhenAnswered()
    }

    private func closeWhenAnswered() {
        connection.awaitAnswer()
        if connection.requestsInFlight == 0 { close() }
    }

    /// Sends the reason and closes.
    ///
    /// - Parameter isRefusal: Indicates whether the store would reject the same client again.
    private func rejectAndClose(_ reason: String, isRefusal: Bool = true) {
        guard let context else { return }
        if case .closed = state { return }
        connection.outbox.append { buffer in
            buffer.writeFrame(.rejection) { body in
                body.write(wire: reason)
                body.write(wire: isRefusal)
            }
        }
        connection.outbox.flush()
        state = .closed
        context.close(mode: .output, promise: nil)
        // The client must read the reason before the connection closes. Closing at once would reset the connection
        // because of the bytes that the client sent and the server has not read.
        _ = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(200)) { context.close(promise: nil) }
    }

    private func close() {
        connection.outbox.flush()
        state = .closed
        context?.close(promise: nil)
    }

    private func end() {
        if case .awaitingHello(let timeout) = state { timeout?.cancel() }
        state = .closed
        writeTimeout?.cancel()
        connection.whenAnswered(nil)
        connection.outbox.close()
        let holders = connection.releaseLeases()
        if !holders.isEmpty {
            Task { [service] in
                for holder in holders { await service.abandonWriteLease(for: holder) }
            }
        }
        context = nil
    }
}
