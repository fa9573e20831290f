import Foundation
import Synchronization

/// The maximum size of the write-ahead log while long reads run.
///
/// A long read prevents the removal of everything that was written since it began.
package struct LogBound: Sendable {
    /// The size in bytes above which no long read starts.
    package var admission = 80 << 20
    /// The size in bytes above which running reads are interrupted.
    package var limit = 112 << 20

    package init() {}

    package init(admission: Int, limit: Int) {
        self.admission = admission
        self.limit = limit
    }
}

/// The file of a store's write-ahead log, whose size all processes can read.
struct LogFile: Sendable {
    let path: String
    let bound: LogBound

    init(of directory: DataDirectory, bound: LogBound) {
        path = directory.storePath + "-wal"
        self.bound = bound
    }

    var isTooLargeToBegin: Bool { size > bound.admission }
    /// The approximate number of pages.
    var pages: Int { size / 4096 }
    fileprivate var isTooLarge: Bool { size > bound.limit }

    /// The size in bytes; 0 if there is no file.
    private var size: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

/// A watch that interrupts a read when the log has become too large. It works until it is deallocated.
final class LogGrowthMonitor: Sendable {
    private static let pause: Duration = .milliseconds(50)

    private let hasEnded = Atomic<Bool>(false)
    private let timer = MaintenanceTimer()

    /// Starts the watch.
    ///
    /// - Parameter cancellationToken: The token that cancels the read.
    init(_ log: LogFile, ending cancellationToken: CancellationToken) {
        timer.start(after: Self.pause) { [weak self] in
            guard let self else { return nil }
            guard log.isTooLarge else { return Self.pause }
            hasEnded.store(true, ordering: .releasing)
            cancellationToken.request()
            return nil
        }
    }

    /// Indicates whether this watch interrupted the read.
    var hasEndedRead: Bool { hasEnded.load(ordering: .acquiring) }
}
