import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix

/// A file that is sent as it is, in parts: however large it is, little of it is in memory.
struct FileDownload: Sendable {
    private static let partSize = 1 << 17

    private let file: OpenFile
    private let name: String
    private let type: String

    struct Unreadable: Error {}

    /// - Parameter name: Under which it is to be saved; of letters, digits, dots, dashes and underscores.
    /// - Throws: ``Unreadable``.
    init(path: String, name: String, type: String = "application/gzip") throws {
        file = try OpenFile(path)
        self.name = name
        self.type = type
    }

    var response: Response {
        let file = file
        return Response(
            status: .ok,
            headers: [.contentType: type, .contentDisposition: "attachment; filename=\"\(name)\""],
            body: ResponseBody(contentLength: file.size) { writer in
                var sent = 0
                while sent < file.size {
                    let (start, wanted) = (sent, min(Self.partSize, file.size - sent))
                    let part = try await NIOThreadPool.singleton.runIfActive { try file.read(wanted, from: start) }
                    // A file that ends early cannot be told any more: the connection ends before its length.
                    guard part.readableBytes > 0 else { throw Unreadable() }
                    sent += part.readableBytes
                    try await writer.write(part)
                }
                try await writer.finish(nil)
            }
        )
    }

    /// Open as long as it is sent, whatever becomes of its name.
    private final class OpenFile: Sendable {
        let size: Int
        private let descriptor: CInt

        init(_ path: String) throws {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw Unreadable() }
            size = Int(lseek(descriptor, 0, SEEK_END))
            guard size >= 0 else {
                Foundation.close(descriptor)
                throw Unreadable()
            }
        }

        deinit { Foundation.close(descriptor) }

        func read(_ count: Int, from start: Int) throws -> ByteBuffer {
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            let found = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                max(0, pread(descriptor, bytes.baseAddress, count, off_t(start)))
            }
            return found > 0 ? buffer : ByteBuffer()
        }
    }
}
