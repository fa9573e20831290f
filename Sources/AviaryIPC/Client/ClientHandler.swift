import AviaryDomain
import NIOCore

/// The client's end of a connection: it greets the store and passes each answer to the caller that waits for it.
///
/// Confined to its channel's event loop.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The reason why the store did not welcome a connection.
    enum HandshakeError: Error {
        /// A rejection of this process, with the reason in the store's words.
        case rejection(String)
        case lost

        /// Creates a refusal from the message with which the store rejects a connection.
        ///
        /// A store that gave another reason, or none, can be asked again.
        fileprivate init(_ frame: Frame) {
            var reader = WireReader(frame.body)
            do {
                let reason = try reader.text()
                self = try reader.boolean() ? .rejection(reason) : .lost
            } catch {
                self = .lost
            }
        }
    }

    private let identity: ClientIdentity
    private let versions: ProtocolVersions
    private let outbox: FrameWriteBuffer
    private let pending: PendingRequests
    private let greeted: EventLoopPromise<FrameWriteBuffer>
    private let handshake: TimeAmount
    private var timeout: Scheduled<Void>?
    private var isGreeted = false

    init(
        _ identity: ClientIdentity, speaking versions: ProtocolVersions, outbox: FrameWriteBuffer,
        pending: PendingRequests,
        greeted: EventLoopPromise<FrameWriteBuffer>, handshake: TimeAmount
    ) {
        self.identity = identity
        self.versions = versions
        self.outbox = outbox
        self.pending = pending
        self.greeted = greeted
        self.handshake = handshake
    }

    func channelActive(context: ChannelHandlerContext) {
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: handshake) { context.close(promise: nil) }
        outbox.append { $0.writeFrame(.hello, id: versions.greeting, body: identity.write) }
        outbox.flush()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch ReceivedFrame(unwrapInboundIn(data)) {
        case .frame(let frame):
            receive(frame, context)
        case .foreign(let version):
            end(context, mismatch(version))
        case .malformed:
            end(context, .lost)
        }
    }

    private func receive(_ frame: Frame, _ context: ChannelHandlerContext) {
        switch frame.kind {
        case .answer:
            pending.answer(frame.id, frame.body)
        case .postponed:
            pending.postpone(frame.id, at: .now)
        case .welcome:
            guard let version = ProtocolVersions.answered(frame.id) else { return end(context, .lost) }
            // A store from before version ranges welcomes every client that sends a greeting.
            guard versions.lowest <= version, version <= versions.highest else {
                return end(context, mismatch(version))
            }
            isGreeted = true
            timeout?.cancel()
            greeted.succeed(outbox)
        case .rejection:
            end(context, HandshakeError(frame))
        case .hello, .request:
            end(context, .lost)
        }
    }

    private func mismatch(_ version: UInt8) -> HandshakeError {
        .rejection("\(ProtocolMismatch(store: ProtocolVersions(version...version), client: versions))")
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context, .lost)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(context, .lost)
    }

    private func end(_ context: ChannelHandlerContext, _ refusal: HandshakeError) {
        timeout?.cancel()
        if !isGreeted { greeted.fail(refusal) }
        pending.close()
        outbox.close()
        context.close(promise: nil)
    }
}
