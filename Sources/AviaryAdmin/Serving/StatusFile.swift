package import AviaryRuntime
import Foundation
import ServiceLifecycle

/// The file `status.json` in the data directory, which lists the processes that serve the directory.
package struct StatusFile: Sendable {
    let path: String

    /// Writes the status atomically: a reader sees either the old file or the new one.
    func write(_ status: ProcessStatus) throws {
        let temporary = path + ".new"
        unlink(temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: try JSONEncoder().encode(status), attributes: [.posixPermissions: 0o600]
            ), rename(temporary, path) == 0
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Returns the status, or nil when nothing serves the directory: there is no file, or its supervisor has
    /// ended.
    package func read() -> ProcessStatus? {
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

/// A service that reports that the process serves.
///
/// It is the last service to start: signals are handled and sockets are served by then. The receiver of the report
/// may therefore end the process at once, and it still ends in good order.
struct ReadinessService: Service {
    let report: @Sendable () -> Void

    func run() async throws {
        report()
        try await gracefulShutdown()
    }
}
