package import AviaryDomain
package import Foundation

/// The snapshots beside the store, what is known of them, and the work that goes on.
package struct BackupListViewModel: Sendable {
    package let principal: Principal
    package let files: [SnapshotFile]
    package let job: SnapshotJob?
    package let state: BackupState?
    package let now: Date

    /// - Throws: ``AccessRefusal/forbidden``; what the library throws.
    package init(principal: Principal, library: any SnapshotLibrary, at now: Date) async throws {
        guard principal.may(.backups) else { throw AccessRefusal.forbidden }
        self.principal = principal
        self.now = now
        files = try await library.files()
        job = await library.job()
        state = await library.backupState()
    }

    package var isWorking: Bool { job?.state == .running }

    /// The newest that was restored for a trial and found complete.
    package var lastProven: SnapshotFile? { files.first { $0.proof != nil } }

    /// Begins work that goes on after the answer.
    ///
    /// - Parameter isGood: A closure that returns whether the account may still do it.
    /// - Throws: ``AccessRefusal/forbidden``, ``SnapshotLibraryError``.
    package static func begin(
        _ task: SnapshotJob.Task, of file: String?, principal: Principal, library: any SnapshotLibrary,
        isGood: @escaping @Sendable () async throws -> Bool
    ) async throws {
        guard principal.may(.backups), task != .restore else { throw AccessRefusal.forbidden }
        try await library.begin(task, of: file, by: principal.name, isGood: isGood)
    }

    /// Takes a snapshot in from elsewhere; checking it goes on after the answer.
    ///
    /// - Parameters:
    ///   - size: In bytes, about; nil where nobody said.
    ///   - isGood: A closure that returns whether the account may still do it.
    ///   - next: Its next bytes; nil at the end.
    /// - Throws: ``AccessRefusal/forbidden``; what the library throws.
    package static func receive(
        ofSize size: Int?, principal: Principal, library: any SnapshotLibrary,
        isGood: @escaping @Sendable () async throws -> Bool,
        _ next: @Sendable () async throws -> [UInt8]?
    ) async throws {
        guard principal.may(.backups) else { throw AccessRefusal.forbidden }
        try await library.receive(ofSize: size, by: principal.name, isGood: isGood, next)
    }
}
