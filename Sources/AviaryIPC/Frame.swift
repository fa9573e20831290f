import NIOCore

/// One message between a worker and the store. A length of four bytes stands before it on the wire.
///
/// Big-endian: protocol version (1 byte), request id (8), deadline (8, nanoseconds of the monotonic clock; 0 in
/// answers), then the body as JSON. The deadline stands outside the body, so that an expired request is refused without
/// being read.
struct Frame {
    static let protocolVersion: UInt8 = 1
    /// An import is one change set; a million rows fit.
    static let largest = 256 * 1024 * 1024

    let version: UInt8
    let id: UInt64
    let deadline: MonotonicTime
    let body: ByteBuffer

    init(id: UInt64, deadline: MonotonicTime = MonotonicTime(nanoseconds: 0), body: ByteBuffer) {
        version = Self.protocolVersion
        self.id = id
        self.deadline = deadline
        self.body = body
    }

    /// Nil when it is too short to be one.
    init?(_ buffer: ByteBuffer) {
        var buffer = buffer
        guard let version = buffer.readInteger(as: UInt8.self), let id = buffer.readInteger(as: UInt64.self),
              let deadline = buffer.readInteger(as: UInt64.self)
        else { return nil }
        self.version = version
        self.id = id
        self.deadline = MonotonicTime(nanoseconds: deadline)
        body = buffer
    }

    var buffer: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(17 + body.readableBytes)
        buffer.writeInteger(version)
        buffer.writeInteger(id)
        buffer.writeInteger(deadline.nanoseconds)
        buffer.writeImmutableBuffer(body)
        return buffer
    }
}
