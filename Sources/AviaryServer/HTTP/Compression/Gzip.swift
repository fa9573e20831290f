import CZlib
import NIOCore

/// gzip in one go (RFC 1952), for what is small enough to stand in memory anyhow.
enum Gzip {
    /// From 1, the quickest, to 9, the smallest.
    enum Level: Int32 {
        /// For what is written anew for each request.
        case quick = 1
        /// For what is compressed once.
        case small = 9
    }

    /// Nil where zlib has no memory; then it is sent as it is.
    static func compressed(_ buffer: ByteBuffer, level: Level) -> ByteBuffer? {
        var stream = z_stream()
        guard aviary_gzip_deflate_init(&stream, level.rawValue) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(buffer.readableBytes)))
        var output = ByteBufferAllocator().buffer(capacity: bound)
        var isComplete = false
        buffer.withUnsafeReadableBytes { input in
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { space in
                stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(clamping: space.count)
                isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
                return isComplete ? Int(stream.total_out) : 0
            }
        }
        return isComplete ? output : nil
    }
}
