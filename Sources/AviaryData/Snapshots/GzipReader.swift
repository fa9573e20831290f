import CZlib
import Foundation

/// Reads a gzip file of one member or several as one stream.
final class GzipReader {
    private static let inputSize = 1 << 16

    private let descriptor: Int32
    private let path: String
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 1)
    /// Whether a member has begun and not ended.
    private var isInMember = true
    /// Whether it looked like gzip so far.
    private var hasBegun = false

    /// - Throws: ``FileError``.
    init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        stream.initialize(to: z_stream())
        guard descriptor >= 0 else { throw .unreadable(path) }
        guard aviary_gzip_inflate_init(stream) == Z_OK else {
            throw FileError(path: path, reason: "cannot be decompressed.", advice: "Give the process more memory.")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
        if descriptor >= 0 { close(descriptor) }
    }

    /// The number of bytes read; 0 only at the end of the file.
    ///
    /// - Throws: ``FileError``, or ``SnapshotError`` when the file is no gzip, damaged or cut off.
    func read(into output: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !output.isEmpty else { return 0 }
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: output.count)
        let capacity = Int(stream.pointee.avail_out)
        while Int(stream.pointee.avail_out) == capacity {
            if stream.pointee.avail_in == 0, try !fill() {
                guard !isInMember else { throw SnapshotError(hasBegun ? .cutOff : .notGzip) }
                return 0
            }
            try inflateOnce()
        }
        return capacity - Int(stream.pointee.avail_out)
    }

    private func inflateOnce() throws(SnapshotError) {
        if !isInMember {
            inflateReset(stream)
            isInMember = true
        }
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_STREAM_END:
            isInMember = false
        case Z_OK:
            // The two bytes that every member begins with were right.
            if stream.pointee.total_in >= 2 { hasBegun = true }
        // Neither input nor room was left: the next turn has more of one.
        case Z_BUF_ERROR: break
        default: throw SnapshotError(hasBegun ? .damaged : .notGzip)
        }
    }

    /// False at the end of the file.
    private func fill() throws(FileError) -> Bool {
        while true {
            let count = Foundation.read(descriptor, input.baseAddress, input.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(path)
            }
            stream.pointee.next_in = UnsafePointer(input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(count)
            return count > 0
        }
    }
}
