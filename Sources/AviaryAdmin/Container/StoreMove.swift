import AviaryData
package import AviaryDomain
import Crypto
import Foundation

/// A move of all contents of a store to an empty one, by a snapshot with history and secrets. The source stays as it is.
///
/// The snapshot is kept in the target's data directory until the contents have been compared, so that a move that was
/// interrupted continues with it.
package struct StoreMove: Sendable {
    /// The contents that were moved.
    package struct Outcome: Sendable {
        package let snapshot: SnapshotSummary
        /// The number of the new store's last commit.
        package let commit: Int64
        /// The number of the lines of the two snapshots that were compared: records, links, entries of the history, receipts.
        package let compared: Int
    }

    let source: StoreLocation
    let target: StoreLocation
    let from: SQLSnapshotRepository
    let to: SQLSnapshotRepository

    /// Moves the contents.
    ///
    /// - Throws: ``StoreMoveError``; an error that says why a store cannot be read or written.
    package func run() async throws -> Outcome {
        try checkThatNobodyServes()
        guard try source.hasStore() else { throw StoreMoveError.noSource(source.name) }
        let hadStore = try target.hasStore()
        let isContinued = FileManager.default.fileExists(atPath: snapshotPath)
        guard !hadStore || isContinued else { throw StoreMoveError.notEmpty(target.name) }
        let snapshot = try await snapshot(isContinued: isContinued, hadStore: hadStore)
        let commit =
            if hadStore {
                try await to.lastCommit() ?? 0
            } else {
                try await to.restore(from: snapshotPath).commit
            }
        let compared = try await compare(hadStore: hadStore)
        let now = try await from.lastCommit() ?? 0
        guard now == snapshot.commit else {
            throw StoreMoveError.changed(source.name, from: snapshot.commit, to: now, target: target.name)
        }
        remove(snapshotPath)
        return Outcome(snapshot: snapshot, commit: commit, compared: compared)
    }

    /// Checks that no server would go on to write to what was moved already.
    private func checkThatNobodyServes() throws {
        for location in [source, target] where FileManager.default.fileExists(atPath: location.path) {
            // The lock names the process that has it. It is released at once: a restore takes it itself.
            _ = try ServerDirectory(locking: location)
        }
    }

    private func snapshot(isContinued: Bool, hadStore: Bool) async throws -> SnapshotSummary {
        let current = try await from.lastCommit()
        if isContinued {
            let snapshot = try await to.verify(snapshotPath)
            // The target has what the snapshot has, and not what the source has since.
            if hadStore || snapshot.commit == current { return snapshot }
        }
        try target.directory().createSnapshotsDirectory()
        // An interrupted move may have left a snapshot of an older state.
        remove(snapshotPath)
        return try await from.create(at: .file(snapshotPath), level: 1, includingSecrets: true, includingHistory: true)
    }

    /// Compares the new store with the snapshot by a snapshot of its own.
    private func compare(hadStore: Bool) async throws -> Int {
        let path = snapshotPath + ".new"
        // A move that was killed during its comparison leaves this file.
        remove(path)
        defer { remove(path) }
        _ = try await to.create(at: .file(path), level: 1, includingSecrets: true, includingHistory: true)
        do {
            return try await to.compare(path, with: snapshotPath)
        } catch let error as SnapshotError where hadStore {
            throw StoreMoveError.otherContents(target.name, reason: "\(error)")
        }
    }

    /// The path of the snapshot, which depends on the two stores. Its name keeps it out of the list of snapshots.
    private var snapshotPath: String {
        let digest = SHA256.hash(data: Data((source.name + "\n" + target.name).utf8)).prefix(6)
        let name = digest.map { String(0x100 | Int($0), radix: 16).dropFirst() }.joined()
        return target.path + "/snapshots/.move-\(name).jsonl.gz"
    }

    private func remove(_ path: String) {
        // A file that stays contains secrets, but only for the owner of the directory.
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The reason why the contents of a store were not moved.
enum StoreMoveError: Error, Sendable, Hashable, CustomStringConvertible {
    case noSource(String)
    case notEmpty(String)
    case otherContents(String, reason: String)
    case changed(String, from: Int64, to: Int64, target: String)

    var description: String {
        switch self {
        case .noSource(let name): "\(name): there is no store to move. Nothing was changed."
        case .notEmpty(let name):
            "\(name): contains a store already. Move to an empty place, or replace that store with backup and restore. Nothing "
                + "was changed."
        case .otherContents(let name, let reason):
            "\(name): contains other contents than the snapshot of the move that was interrupted. \(reason) If nobody uses it, empty "
                + "it and move again."
        case .changed(let name, let before, let now, let target):
            "\(name): was changed during the move, from commit \(before) to \(now). \(target) has the state of commit \(before). End "
                + "every server of the source, empty the target, and move again."
        }
    }
}
