import AviaryRuntime
import Foundation

/// `status.json` in the data directory: which processes serve it.
struct StatusFile: Sendable {
    let path: String

    func write(_ status: ProcessStatus) throws {
        // Atomically: a reader sees the old file or the new one.
        try JSONEncoder().encode(status).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Nil when nothing serves the directory: there is no file, or its supervisor is gone.
    func read() -> ProcessStatus? {
        guard let data = FileManager.default.contents(atPath: path),
              let status = try? JSONDecoder().decode(ProcessStatus.self, from: data),  // another version's file
              kill(status.supervisor, 0) == 0 || errno == EPERM
        else { return nil }
        return status
    }

    func remove() {
        unlink(path)
    }
}
