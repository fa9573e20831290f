import NIOCore

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
