import Crypto
import Dispatch
import Synchronization

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

/// Hashes and compresses on a thread of its own, so that reading and compressing share two processors. Holds back who
/// hands over more than it can do.
final class GzipQueue: Compressor, Sendable {
    private static let mostWaiting = 4

    // The writer is used by the queue's blocks alone, one after the other.
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
