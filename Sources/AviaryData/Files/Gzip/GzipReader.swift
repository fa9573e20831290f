import CZlib
import Foundation

/// A reader of a gzip file with one or several members as one stream.
final class GzipReader {
    private static let inputSize = 1 << 16
    private static let pauseInMilliseconds: CInt = 200

    private let descriptor: Int32
    private let path: String
    private let whileWaiting: ((Duration) throws -> Void)?
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 1)
    /// Indicates whether a member has begun and not ended.
    private var isInMember = true
    /// Indicates whether the input so far is gzip.
    private var hasBegun = false
    /// Indicates whether nothing was decompressed since the end of a member.
    private(set) var isBehindMember = false
    /// Indicates whether the last member that ended was empty.
    private(set) var endsInEmptyMember = false

    /// Opens a file.
    ///
    /// - Parameter whileWaiting: A function that is called several times a second while a pipe is silent, with the
    ///   duration of the silence. An error that it throws ends the wait.
    /// - Throws: ``FileError``.
    init(_ path: String, whileWaiting: ((Duration) throws -> Void)? = nil) throws(FileError) {
        self.path = path
        self.whileWaiting = whileWaiting
        // The file is opened without waiting: opening a pipe that nobody writes to would block, and nothing could
        // end the wait.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        stream.initialize(to: z_stream())
        guard descriptor >= 0 else { throw .unreadable(path) }
        try Self.check(descriptor, path)
        guard aviary_gzip_inflate_init(stream) == Z_OK else {
            throw FileError(path: path, reason: "cannot be decompressed.", advice: "Give the process more memory.")
        }
    }

    /// Accepts a file, or a pipe that a shell passes as `/dev/fd/63`, whose reads block again.
    private static func check(_ descriptor: Int32, _ path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path) }
        switch status.st_mode & S_IFMT {
        // Reading a directory fails with an error that says what it is.
        case S_IFREG, S_IFDIR: return
        case S_IFIFO where path.hasPrefix("/dev/") || path.hasPrefix("/proc/"):
            guard fcntl(descriptor, F_SETFL, 0) == 0 else { throw .unreadable(path) }
        case S_IFIFO:
            throw FileError(
                path: path, reason: "is no file.",
                advice: "It is a named pipe: have the shell open it, with - for the file and < \(path) behind it."
            )
        default: throw FileError(path: path, reason: "is no file.", advice: "Choose a backup file.")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads decompressed bytes.
    ///
    /// - Returns: The number of bytes; 0 only at the end of the file.
    /// - Throws: ``FileError``, or ``SnapshotError`` if the file is not gzip, damaged or truncated.
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
        isBehindMember = !isInMember
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
            hasBegun = true
            isBehindMember = true
            endsInEmptyMember = stream.pointee.total_out == 0
        case Z_OK:
            // The two bytes that begin every member were correct.
            if stream.pointee.total_in >= 2 { hasBegun = true }
        // Input or room was missing: the next iteration has more of it.
        case Z_BUF_ERROR: break
        // If the first two bytes are wrong, zlib reads no further.
        default: throw SnapshotError(hasBegun || stream.pointee.total_in > 2 ? .damaged : .notGzip)
        }
    }

    /// Returns when there is something to read. A regular file is always readable.
    private func wait() throws {
        guard let whileWaiting else { return }
        let start = ContinuousClock.now
        while true {
            var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The read reports any error.
            guard poll(&input, 1, Self.pauseInMilliseconds) == 0 else { return }
            try whileWaiting(.now - start)
        }
    }

    /// Reads the next compressed bytes; false at the end of the file.
    private func fill() throws -> Bool {
        try wait()
        while true {
            let count = Foundation.read(descriptor, input.baseAddress, input.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError.unreadable(path)
            }
            stream.pointee.next_in = UnsafePointer(input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(count)
            return count > 0
        }
    }
}
