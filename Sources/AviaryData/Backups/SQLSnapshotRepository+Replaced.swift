import AviaryDomain
import Foundation

/// The snapshot of the store that a restore replaces.
///
/// It is written before writes are held, and once more, from the replaced store itself, if something was saved since. A
/// damaged store and a full disk are therefore found before anything has changed.
extension SQLSnapshotRepository {
    /// Writes the snapshot of the current store, which does not get its name yet.
    func writeBeforehand(_ directory: DataDirectory) throws -> UnpublishedSnapshot {
        try directory.beforeRestore { try writeReplaced(directory, in: directory) }
    }

    /// Completes the snapshot of the replaced store and removes that store.
    ///
    /// - Parameter beforehand: The snapshot that was written before; nil if there is none.
    func save(
        _ replaced: ReplacedStore, _ beforehand: UnpublishedSnapshot?, in directory: DataDirectory
    ) throws -> SnapshotSummary {
        let source = DataDirectory(found: String(StoreFileName.directory(of: replaced.storePath).dropLast()))
        let snapshot: UnpublishedSnapshot
        if let beforehand, try beforehand.state == acknowledgedState(of: source) {
            snapshot = beforehand
        } else {
            snapshot = try writeReplaced(source, in: directory)
        }
        let summary = try snapshot.publish()
        replaced.remove(by: engine)
        return summary
    }

    /// Completes the snapshots of the stores that killed restores have left.
    ///
    /// - Returns: The reasons for which some could not be completed. They remain, and the next call tries again.
    package func completeLeftStores() async -> [String] {
        // The work reports its errors itself.
        (try? await BlockingWork.run(isLowPriority: isLowPriority) { saveLeftStores() }) ?? []
    }

    /// Completes the snapshots like ``completeLeftStores()``, on this thread.
    func saveLeftStores() -> [String] {
        let directory = DataDirectory(found: dataPath)
        var reasons: [String] = []
        for left in ReplacedStore.left(in: directory) {
            do {
                if try left.isReplaced(by: engine, in: directory) {
                    try directory.createSnapshotsDirectory()
                    _ = try save(left, nil, in: directory)
                } else {
                    left.remove(by: engine)
                }
            } catch {
                reasons.append("\(left.path): \(error.redactedText)")
            }
        }
        return reasons
    }

    private func acknowledgedState(of source: DataDirectory) throws -> AcknowledgedState {
        let connection = try engine.openReader(source)
        defer { connection.close() }
        return try connection.snapshot { try AcknowledgedState(of: connection) }
    }

    /// Writes everything that a store contains, including its secrets. The snapshot is in the same directory as the store,
    /// which contains the secrets, too.
    private func writeReplaced(_ source: DataDirectory, in directory: DataDirectory) throws -> UnpublishedSnapshot {
        try directory.createSnapshotsDirectory()
        AtomicFile.removeAbandoned(in: directory.snapshotsPath)
        let time = Date()
        let path = directory.newSnapshotPath(
            app: app, createdAt: time.rfc3339 ?? "", suffix: SnapshotFile.Origin.beforeRestore.suffix ?? "")
        var state: AcknowledgedState?
        func write(isQuick: Bool) throws -> UnpublishedSnapshot {
            let file = try AtomicFile(path)
            let options = SnapshotOptions(
                level: Self.standardLevel, includesSecrets: true, includesHistory: true, isQuick: isQuick)
            let summary = try self.write(
                source, to: file.sink, options, at: time, workingIn: directory,
                observing: { state = try AcknowledgedState(of: $0) })
            guard let state else { throw StoreOpenError.notAStore(path: source.storePath) }
            return UnpublishedSnapshot(file, summary, state)
        }
        do {
            return try write(isQuick: true)
        } catch let error as ReadError where error.code == .heldLog {
            return try write(isQuick: false)
        }
    }
}

/// A complete snapshot that has no name yet. It is removed with its object.
///
/// It is safe to send: nothing changes the file after the snapshot is complete but its publication, which happens once.
final class UnpublishedSnapshot: @unchecked Sendable {
    private let file: AtomicFile
    private let summary: SnapshotSummary
    let state: AcknowledgedState

    fileprivate init(_ file: AtomicFile, _ summary: SnapshotSummary, _ state: AcknowledgedState) {
        self.file = file
        self.summary = summary
        self.state = state
    }

    func publish() throws(FileError) -> SnapshotSummary {
        try file.publish()
        return summary.named(file.path)
    }
}

/// A state of a store, which differs after any acknowledged write.
struct AcknowledgedState: Sendable, Hashable {
    private let position: StorePosition?
    /// A draft that is discarded is not a commit. No two have the same id, and the newest is never removed by itself.
    private let discards: [String]

    init(of connection: any Connection) throws {
        position = try StorePosition.read(from: connection)
        discards = try connection.rows("SELECT id FROM aviary_discard ORDER BY id") { $0.text(0) ?? "" }
    }
}
