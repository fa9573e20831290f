import CISAL
import CZlib

/// A compressor that writes one gzip member.
protocol Deflater: AnyObject {
    /// Compresses bytes and passes the output on piece by piece. The output may lag behind the input.
    ///
    /// - Parameters:
    ///   - isLast: Indicates whether the member ends with these bytes; no call may follow.
    ///   - take: A function that receives each piece, which is valid only during the call.
    func deflate(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError)
}

/// A compressor that uses Intel's ISA-L. Its files are smaller than those of zlib's first levels, in a fifth of
/// their time.
final class ISALDeflater: Deflater {
    static let levels = 1...3
    private static let bufferSize = 1 << 16

    // The state is on the heap because it is large.
    private let stream = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
    private let levelBuffer: UnsafeMutableRawBufferPointer
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)

    /// Creates a compressor.
    ///
    /// - Parameter level: A level of ``levels``.
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
        // The library reads the input and never writes to it.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        stream.pointee.end_of_stream = isLast ? 1 : 0
        repeat {
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(buffer.count)
            // The call can only fail for an unknown level or flush mode.
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

/// A compressor that uses zlib. It is slower than ``ISALDeflater``, and its files are smaller at its highest
/// levels.
final class ZlibDeflater: Deflater {
    private static let bufferSize = 1 << 16

    // The stream is on the heap because zlib's state points back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)

    /// Creates a compressor; nil if there is not enough memory.
    ///
    /// - Parameter level: The level from 1, the fastest, to 9, the smallest.
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
