import CZlib

/// Compresses what is written to it into one gzip member.
final class GzipWriter {
    private static let bufferSize = 1 << 16

    // On the heap: zlib's state points back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)
    private let sink: FileSink

    init(to sink: FileSink, level: Int) throws(FileError) {
        self.sink = sink
        stream.initialize(to: z_stream())
        guard aviary_gzip_deflate_init(stream, Int32(clamping: level)) == Z_OK else {
            throw FileError(path: sink.path, reason: "cannot be compressed.", advice: "Give the process more memory.")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        try deflateAll(bytes, Z_NO_FLUSH)
    }

    /// Ends the member; nothing can be written after it.
    func finish() throws(FileError) {
        try deflateAll([], Z_FINISH)
    }

    private func deflateAll(_ bytes: [UInt8], _ flush: Int32) throws(FileError) {
        var failure: FileError?
        bytes.withUnsafeBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            do throws(FileError) {
                repeat { try deflateOnce(flush) } while stream.pointee.avail_out == 0
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func deflateOnce(_ flush: Int32) throws(FileError) {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(buffer.count)
        deflate(stream, flush)
        let produced = buffer.count - Int(stream.pointee.avail_out)
        try sink.write(UnsafeRawBufferPointer(rebasing: buffer[..<produced]))
    }
}
