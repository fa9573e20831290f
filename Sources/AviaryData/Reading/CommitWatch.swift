package import AviaryDomain
import Synchronization

/// A watch that tells whether any process has committed to the store since an earlier moment.
///
/// A caller that keeps the result of a read takes the version before the read. As long as the version is the same, no
/// commit was acknowledged since, and the result is exactly valid:
///
/// ```swift
/// let version = watch.version
/// let page = try read()
/// // …
/// if let version, watch.version == version { use(page) }
/// ```
///
/// The watch has a connection of its own that stays open, because an engine counts the commits that a connection has
/// met.
package final class CommitWatch: StoreVersionSource {
    private struct State {
        var reader: Reader?
        /// The number of connections that the watch has opened.
        var connection = 0
    }

    private let directory: DataDirectory
    private let engine: any StoreEngine
    private let limit: Duration
    private let state = Mutex(State())

    /// Creates a watch, which connects when its version is first read.
    ///
    /// - Parameter limit: The time limit of the query that reads a version. Without an answer there is no version.
    init(_ directory: DataDirectory, engine: any StoreEngine, limit: Duration = ReaderPool.attemptLimit) {
        self.directory = directory
        self.engine = engine
        self.limit = limit
    }

    package var version: StoreVersion? {
        state.withLock { state in
            do {
                let reader: Reader
                if let open = state.reader, open.connection.isUsable {
                    reader = open
                } else {
                    reader = try Reader(directory, engine: engine)
                    state.reader = reader
                    state.connection += 1
                }
                let number = try reader.work(within: limit) { _ in
                    try reader.connection.commitNumber()
                }
                return StoreVersion(connection: state.connection, number: number)
            } catch {
                // The reads that follow meet the cause and report it. The next version is that of a new connection.
                state.reader = nil
                return nil
            }
        }
    }

    /// Closes the connection.
    package func close() {
        state.withLock { $0.reader = nil }
    }
}
