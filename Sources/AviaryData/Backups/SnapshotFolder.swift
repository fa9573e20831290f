package import AviaryDomain
import Foundation

/// The folder of a store's snapshots, with their proofs and the state of the backups.
package struct SnapshotFolder: BackupStorage {
    private static let proofEnding = ".proof"

    package let path: String
    private let stateFile: JSONFile<BackupState>

    package init(_ dataPath: String) {
        path = dataPath + "/snapshots"
        stateFile = JSONFile(path: dataPath + "/backups.json")
    }

    /// Returns the snapshots, newest first.
    package func files() -> [SnapshotFile] {
        // Before the first snapshot there is no folder.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap(file).sorted {
            ($0.takenAt, $0.writtenAt, $0.name) > ($1.takenAt, $1.writtenAt, $1.name)
        }
    }

    /// Returns the snapshot with a name, which may come from outside; nil if there is none.
    package func file(_ name: String) -> SnapshotFile? {
        // A file that cannot be read is no snapshot.
        guard SnapshotFile.isName(name), let fingerprint = try? FileFingerprint(path(of: name)) else { return nil }
        return SnapshotFile(
            name: name, size: Int(fingerprint.size), writtenAt: fingerprint.writtenAt,
            proof: proof(of: name, fingerprint)
        )
    }

    package func path(of name: String) -> String { path + "/" + name }

    /// Removes a snapshot and its proof.
    package func remove(_ name: String) throws {
        guard unlink(path(of: name)) == 0 || errno == ENOENT else { throw FileError.unwritable(path(of: name)) }
        unlink(path(of: name) + Self.proofEnding)
    }

    package func backupState() -> BackupState? { stateFile.read() }

    package func keep(_ state: BackupState?) throws {
        if let state { try stateFile.write(state) } else { stateFile.remove() }
    }

    /// Stores a proof of one of the folder's files. Proofs of other files are not kept.
    ///
    /// - Parameter fingerprint: The fingerprint of the file before it was read.
    func keep(_ proof: SnapshotProof, of file: String, _ fingerprint: FileFingerprint) throws {
        let url = URL(fileURLWithPath: file).resolvingSymlinksInPath()
        guard url.deletingLastPathComponent().path == URL(fileURLWithPath: path).resolvingSymlinksInPath().path,
            SnapshotFile.isName(url.lastPathComponent)
        else { return }
        try JSONFile<StoredProof>(path: url.path + Self.proofEnding).write(StoredProof(file: fingerprint, proof: proof))
    }

    private func proof(of name: String, _ fingerprint: FileFingerprint) -> SnapshotProof? {
        guard let kept = JSONFile<StoredProof>(path: path(of: name) + Self.proofEnding).read(), kept.file == fingerprint
        else {
            return nil
        }
        return kept.proof
    }

    private struct StoredProof: Codable, Sendable {
        let file: FileFingerprint
        let proof: SnapshotProof
    }
}
