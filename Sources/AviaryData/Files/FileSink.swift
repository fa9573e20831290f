import Foundation

/// An open file that is written to from its beginning.
struct FileSink {
    let descriptor: Int32
    let path: String

    func write(_ bytes: [UInt8]) throws(FileError) {
        var failure: FileError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileError) { try write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw .unwritable(path)
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Tells the system that nobody will read what was written until now, so that it writes it at once and its room in
    /// memory is free for others: a flush at the end that has all to write keeps the store's own flushes waiting behind
    /// it.
    func letGo() {
        #if os(Linux)
            // It is a wish: a pipe has nothing to write, and what cannot be written is told by the flush at the end.
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
    }
}
