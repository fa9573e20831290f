import Foundation
import Synchronization

/// A file that arrives from elsewhere, under no name that anybody would take for a snapshot. It goes with its user, and
/// what a killed process left is removed by the next one.
final class ReceivedFile: Sendable {
    /// Written at a time: each write has a thread of its own.
    private static let partSize = 1 << 20

    let path: String
    private let working: WorkingDirectory
    private let sink: FileSink
    private let waiting = Mutex<[UInt8]>([])

    /// - Throws: ``FileError``.
    init(in folder: String) throws(FileError) {
        working = try WorkingDirectory(in: folder)
        path = working.path + "/received"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path) }
        sink = FileSink(descriptor: descriptor, path: folder)
    }

    deinit { close(sink.descriptor) }

    /// - Throws: ``FileError``.
    func write(_ bytes: [UInt8]) async throws {
        let isDue = waiting.withLock { waiting in
            waiting += bytes
            return waiting.count >= Self.partSize
        }
        if isDue { try await flush() }
    }

    /// - Throws: ``FileError``.
    func flush() async throws {
        let bytes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !bytes.isEmpty else { return }
        try await BlockingWork.run { [sink] in try sink.write(bytes) }
    }
}
