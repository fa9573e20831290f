import AviaryDomain
import Foundation

/// A file's bytes, a part at a time.
final class FileBytes: ByteSource {
    private static let partSize = 1 << 16

    private let path: String
    private let descriptor: Int32
    private(set) var failure: (any Error)?

    /// - Throws: ``FileError``.
    init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path) }
    }

    deinit { close(descriptor) }

    func next() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.partSize) { buffer, count in
            repeat {
                count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            guard count < 0 else { return }
            failure = FileError.unreadable(path)
            count = 0
        }
    }
}
