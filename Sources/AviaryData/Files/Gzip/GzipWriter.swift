import Crypto

/// Compresses what is written to it into one gzip member, and hashes it before.
final class GzipWriter {
    // In bytes: some milliseconds of a disk.
    private static let mostUnwritten = 1 << 20

    private let deflater: any Deflater
    private let sink: FileSink
    private var hash = SHA256()
    private var unwritten = 0

    /// - Parameter level: From 1, the quickest, to 9, the smallest.
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
        sink.letGo()
    }
}
