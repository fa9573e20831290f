import AviaryRuntime
import Foundation
import ServiceLifecycle

/// `status.json` in the data directory: which processes serve it.
struct StatusFile: Sendable {
    let path: String

    /// Atomically: a reader sees the old file or the new one.
    func write(_ status: ProcessStatus) throws {
        let temporary = path + ".new"
        unlink(temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: try JSONEncoder().encode(status), attributes: [.posixPermissions: 0o600]
            ), rename(temporary, path) == 0
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Nil when nothing serves the directory: there is no file, or its supervisor is gone.
    func read() -> ProcessStatus? {
        guard let data = FileManager.default.contents(atPath: path),
            let status = try? JSONDecoder().decode(ProcessStatus.self, from: data),  // another version's file
            status.isCurrent
        else { return nil }
        return status
    }

    func remove() {
        unlink(path)
    }
}

/// Says that the process serves, as the last part of it to start: by then signals are caught and sockets are served, so
/// whoever was told may end the process at once and still sees it end in good order.
struct ReadinessService: Service {
    let report: @Sendable () -> Void

    func run() async throws {
        report()
        try await gracefulShutdown()
    }
}
