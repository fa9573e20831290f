package import AviaryDomain

/// One snapshot.
package struct BackupViewModel: Sendable {
    package let file: SnapshotFile
    package let job: SnapshotJob?

    /// - Throws: ``AccessRefusal/forbidden``, ``SnapshotLibraryError/noSuchFile``.
    package init(name: String, principal: Principal, library: any SnapshotLibrary) async throws {
        guard principal.may(.backups) else { throw AccessRefusal.forbidden }
        guard let file = await library.file(name) else { throw SnapshotLibraryError.noSuchFile }
        self.file = file
        job = await library.job()
    }

    package var isWorking: Bool { job?.state == .running }
}
