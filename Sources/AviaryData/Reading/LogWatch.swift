import Foundation
import Synchronization

/// How large the store's log may become for the sake of long reads, each of which holds what was written since it began.
package struct LogBound: Sendable {
    /// Above this no long read begins, in bytes.
    package var admission = 80 << 20
    /// Above this those under way are ended.
    package var limit = 112 << 20

    package init() {}

    package init(admission: Int, limit: Int) {
        self.admission = admission
        self.limit = limit
    }
}

/// Looks at the size of a store's log, which all processes see.
struct LogFile: Sendable {
    let path: String
    let bound: LogBound

    init(of directory: DataDirectory, bound: LogBound) {
        path = directory.storePath + "-wal"
        self.bound = bound
    }

    var isTooLargeToBegin: Bool { size > bound.admission }
    /// About.
    var pages: Int { size / 4096 }
    fileprivate var isTooLarge: Bool { size > bound.limit }

    /// In bytes; 0 when there is none.
    private var size: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

/// Ends a read when the log has become too large, for as long as the watch lives.
final class LogWatch: Sendable {
    private static let pause: Duration = .milliseconds(50)

    private let hasEnded = Atomic<Bool>(false)
    private let timer = CareTimer()

    /// - Parameter interruption: Of the read.
    init(_ log: LogFile, ending interruption: Interruption) {
        timer.start(after: Self.pause) { [weak self] in
            guard let self else { return nil }
            guard log.isTooLarge else { return Self.pause }
            hasEnded.store(true, ordering: .releasing)
            interruption.request()
            return nil
        }
    }

    /// Whether it was this that ended the read.
    var hasEndedRead: Bool { hasEnded.load(ordering: .acquiring) }
}
