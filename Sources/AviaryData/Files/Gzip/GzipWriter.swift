import Crypto
import Dispatch
import Synchronization

/// A writer that hashes bytes and compresses them into one gzip member.
final class GzipWriter {
    // The number of bytes after which the sink starts to write them to disk: some milliseconds of a disk's work.
    private static let mostUnwritten = 1 << 20

    private let deflater: any Deflater
    private let sink: FileSink
    private var hash = SHA256()
    private var unwritten = 0

    /// Creates a writer.
    ///
    /// - Parameter level: The level from 1, the fastest, to 9, the smallest.
    init(to sink: FileSink, level: Int) throws(FileError) {
        self.sink = sink
        guard
            let deflater: any Deflater = ISALDeflater.levels ~= level
                ? ISALDeflater(level: level) : ZlibDeflater(level: level)
        else {
            throw FileError(path: sink.path, reason: "cannot be compressed.", advice: "Give the process more memory.")
        }
        self.deflater = deflater
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        try deflate(bytes, isLast: false)
    }

    /// Returns the hash of the bytes written so far.
    func digest() -> SHA256Digest { hash.finalize() }

    /// Ends the member; nothing can be written after it.
    func finish() throws(FileError) {
        try deflate([], isLast: true)
    }

    private func deflate(_ bytes: [UInt8], isLast: Bool) throws(FileError) {
        var failure: FileError?
        bytes.withUnsafeBytes { input in
            do throws(FileError) {
                try deflater.deflate(input, isLast: isLast) { piece throws(FileError) in try write(piece) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func write(_ piece: UnsafeRawBufferPointer) throws(FileError) {
        try sink.write(piece)
        unwritten += piece.count
        guard unwritten >= Self.mostUnwritten else { return }
        unwritten = 0
        sink.dropFromPageCache()
    }
}

/// A compressor of bytes.
protocol Compressor {
    func write(_ bytes: [UInt8]) throws(FileError)
    /// Returns the hash of the bytes written so far.
    func digest() throws(FileError) -> SHA256Digest
    /// Ends the file; nothing can be written after it.
    func finish() throws(FileError)
    /// Stops the compression. Nothing is written after the method returns.
    func abandon()
}

extension GzipWriter: Compressor {
    func abandon() {}
}

/// A compressor that hashes and compresses on a thread of its own, so that reading and compressing use two
/// processors.
///
/// It applies backpressure: the caller waits while too many pieces are queued.
final class GzipQueue: Compressor, Sendable {
    private static let mostWaiting = 4

    // Only the queue's blocks use the writer, one after the other.
    private struct Sole: @unchecked Sendable {
        let writer: GzipWriter
    }

    private let sole: Sole
    private let queue = DispatchQueue(label: "aviary.gzip")
    private let room = DispatchSemaphore(value: mostWaiting)
    private let failure = Mutex<FileError?>(nil)
    private let isAbandoned = Atomic(false)

    init(_ writer: consuming GzipWriter) {
        sole = Sole(writer: writer)
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        try throwFailure()
        room.wait()
        queue.async { [self] in
            perform { writer throws(FileError) in try writer.write(bytes) }
            room.signal()
        }
    }

    func digest() throws(FileError) -> SHA256Digest {
        let digest = queue.sync { sole.writer.digest() }
        try throwFailure()
        return digest
    }

    func finish() throws(FileError) {
        queue.sync { perform { writer throws(FileError) in try writer.finish() } }
        try throwFailure()
    }

    func abandon() {
        isAbandoned.store(true, ordering: .relaxed)
        queue.sync {}
    }

    private func perform(_ work: (GzipWriter) throws(FileError) -> Void) {
        guard !isAbandoned.load(ordering: .relaxed), failure.withLock({ $0 == nil }) else { return }
        do throws(FileError) {
            try work(sole.writer)
        } catch {
            failure.withLock { $0 = error }
        }
    }

    private func throwFailure() throws(FileError) {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
