import CZlib

/// Compresses with zlib: slower than ``ISALDeflater``, and smaller at its highest levels.
final class ZlibDeflater: Deflater {
    private static let bufferSize = 1 << 16

    // On the heap: zlib's state points back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)

    /// - Parameter level: From 1, the quickest, to 9, the smallest.
    /// - Returns: Nil where there is no memory for it.
    init?(level: Int) {
        stream.initialize(to: z_stream())
        guard aviary_gzip_deflate_init(stream, Int32(clamping: level)) == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    func deflate(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        stream.pointee.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(buffer.count)
            CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<(buffer.count - Int(stream.pointee.avail_out))]))
        } while stream.pointee.avail_out == 0
    }
}
