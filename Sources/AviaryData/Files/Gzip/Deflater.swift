import CISAL
import CZlib

/// Compresses bytes into one gzip member.
protocol Deflater: AnyObject {
    /// Hands on, piece by piece, what the bytes become together with those that were given before.
    ///
    /// - Parameters:
    ///   - isLast: Whether the member ends with these bytes; nothing can be given after them.
    ///   - take: Gets each piece, which is gone when it returns.
    func deflate(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError)
}

/// Compresses with Intel's ISA-L, which makes smaller files than zlib's first levels in a fifth of their time.
final class ISALDeflater: Deflater {
    static let levels = 1...3
    private static let bufferSize = 1 << 16

    // On the heap: the library's state is large.
    private let stream = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
    private let levelBuffer: UnsafeMutableRawBufferPointer
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)

    /// - Parameter level: One of ``levels``.
    init(level: Int) {
        let level = UInt32(level.clamped(to: Self.levels))
        levelBuffer = .allocate(byteCount: Int(aviary_isal_level_buffer_size(level)), alignment: 64)
        isal_deflate_init(stream)
        stream.pointee.gzip_flag = UInt16(IGZIP_GZIP)
        stream.pointee.level = level
        stream.pointee.level_buf = levelBuffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.level_buf_size = UInt32(levelBuffer.count)
    }

    deinit {
        stream.deallocate()
        levelBuffer.deallocate()
        buffer.deallocate()
    }

    func deflate(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        // It is read, and never written to.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        stream.pointee.end_of_stream = isLast ? 1 : 0
        repeat {
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(buffer.count)
            // It fails only where a level or a flush is none of its own.
            isal_deflate(stream)
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<(buffer.count - Int(stream.pointee.avail_out))]))
        } while stream.pointee.avail_out == 0
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

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
