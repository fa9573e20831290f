import AviaryDomain
import NIOCore

/// One message between a client and the store. A length of four bytes stands before it on the wire.
///
/// Big-endian: version of the frame's form (1 byte), kind (1), request id (8), deadline (8, nanoseconds of the monotonic clock; 0 where
/// there is none), then the body. The deadline stands outside the body, so that an expired request is refused without being
/// read. Whatever a later form changes, its version stays the first byte: nothing behind it is read by who does not
/// know it. Bodies have a version of their own, on which both sides agree: ``ProtocolVersions``.
struct Frame {
    static let formVersion: UInt8 = 2
    static let headerLength = 18

    enum Kind: UInt8 {
        /// The first frame of a client: who it is, and in place of an id which versions of the protocol it speaks.
        case hello = 1
        /// The store's answer to it: requests may follow. In place of an id, the version that both speak from now on.
        case welcome
        /// The store's last frame, with the reason in words and whether it lies in who the client is; the connection is closed
        /// behind it.
        case farewell
        case request
        case answer
    }

    let kind: Kind
    let id: UInt64
    let deadline: MonotonicTime
    let body: ByteBuffer
}

/// What a frame's bytes are.
enum ReceivedFrame {
    case frame(Frame)
    /// Of a version that this process does not know; nothing else of it was read.
    case foreign(version: UInt8)
    case malformed

    init(_ buffer: ByteBuffer) {
        var buffer = buffer
        guard let version = buffer.readInteger(as: UInt8.self) else {
            self = .malformed
            return
        }
        guard version == Frame.formVersion else {
            self = .foreign(version: version)
            return
        }
        guard let kind = buffer.readInteger(as: UInt8.self).flatMap(Frame.Kind.init),
            let id = buffer.readInteger(as: UInt64.self),
            let deadline = buffer.readInteger(as: UInt64.self)
        else {
            self = .malformed
            return
        }
        self = .frame(Frame(kind: kind, id: id, deadline: MonotonicTime(nanoseconds: deadline), body: buffer))
    }
}

extension ByteBuffer {
    /// Appends a frame with its length.
    ///
    /// - Parameter body: Writes the body.
    mutating func writeFrame(
        _ kind: Frame.Kind, id: UInt64 = 0, deadline: MonotonicTime? = nil, body: (inout ByteBuffer) -> Void
    ) {
        let start = writerIndex
        writeInteger(UInt32(0))
        writeInteger(Frame.formVersion)
        writeInteger(kind.rawValue)
        writeInteger(id)
        writeInteger(deadline?.nanoseconds ?? 0)
        body(&self)
        setInteger(UInt32(writerIndex - start - 4), at: start)
    }
}

/// Cuts what arrives into frames, and does not wait for one that is too large, or that never comes to its end.
///
/// Confined to its channel's event loop.
struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    struct TooLarge: Error {
        let length: Int
        let limit: Int
    }

    /// How large a frame may be; follows what the other side has said of itself.
    final class Limit {
        var bytes: Int

        init(_ bytes: Int) {
            self.bytes = bytes
        }
    }

    let limit: Limit
    /// Within which a frame that has begun must be complete.
    let patience: TimeAmount
    private var timeout: Scheduled<Void>?

    init(limit: Limit, patience: TimeAmount) {
        self.limit = limit
        self.patience = patience
    }

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self).map(Int.init) else {
            awaitRest(of: buffer, context)
            return .needMoreData
        }
        guard length <= limit.bytes else { throw TooLarge(length: length, limit: limit.bytes) }
        guard buffer.readableBytes >= 4 + length else {
            awaitRest(of: buffer, context)
            return .needMoreData
        }
        timeout?.cancel()
        timeout = nil
        buffer.moveReaderIndex(forwardBy: 4)
        guard let frame = buffer.readSlice(length: length) else { return .needMoreData }
        context.fireChannelRead(Self.wrapInboundOut(frame))
        return .continue
    }

    mutating func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws
        -> DecodingState
    {
        timeout?.cancel()
        return .needMoreData
    }

    private mutating func awaitRest(of buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        guard timeout == nil, buffer.readableBytes > 0 else { return }
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { context.close(promise: nil) }
    }
}
