import AviaryDomain
import NIOCore

/// A message between a client and the store. On the wire, a length of four bytes precedes it.
///
/// A frame is big-endian: the version of the frame's form (1 byte), the kind (1), the request id (8), the deadline
/// (8, in nanoseconds of the monotonic clock; 0 for none), and then the body. The deadline is outside the body, so
/// that the store can reject an expired request without reading it. The version remains the first byte in every
/// later form, and a process that does not know the version reads nothing after it. Bodies have a version of their
/// own, on which both sides agree: ``ProtocolVersions``.
struct Frame {
    static let formVersion: UInt8 = 2
    static let headerLength = 18

    enum Kind: UInt8 {
        /// The client's first frame: its identity.
        ///
        /// In place of an id, the frame carries the versions of the protocol that the client speaks.
        case hello = 1
        /// The store's answer to the greeting; requests may follow.
        ///
        /// In place of an id, the frame carries the version that both sides speak from now on.
        case welcome
        /// The store's last frame.
        ///
        /// It carries the reason in words, and whether the store rejects the client because of its identity. The
        /// store closes the connection after it.
        case rejection
        case request
        case answer
        /// The store's message that a request waits for a large delete or undo, so that its answer may take minutes.
        ///
        /// Clients that speak version 3 or later receive it.
        case postponed
    }

    let kind: Kind
    let id: UInt64
    let deadline: MonotonicTime
    let body: ByteBuffer
}

/// The result of reading a frame's bytes.
enum ReceivedFrame {
    case frame(Frame)
    /// A frame of a version that this process does not know. Only its version was read.
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

/// A decoder that splits the received bytes into frames.
///
/// It ends the connection for a frame that is too large or does not arrive completely in time.
///
/// Confined to its channel's event loop.
struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    struct TooLarge: Error {
        let length: Int
        let limit: Int
    }

    /// The size of the largest frame. It changes once the other side has said who it is.
    final class Limit {
        var bytes: Int

        init(_ bytes: Int) {
            self.bytes = bytes
        }
    }

    let limit: Limit
    /// The time within which a frame that has begun must be complete.
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
