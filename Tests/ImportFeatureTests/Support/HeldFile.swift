import AviaryDomain
import Synchronization

/// An uploaded file whose import stopped, and whose import continues before the call returns.
final class HeldFile: ImportFiles, JobNotes {
    private let source: CSVSource
    private let job: Mutex<ImportJob>

    init(_ text: String, of job: ImportJob) {
        source = CSVSource(Array(text.utf8))
        self.job = Mutex(job)
    }

    var ended: ImportJob { job.withLock { $0 } }

    func note(_ change: @Sendable (inout ImportJob) -> Void) async { job.withLock { change(&$0) } }
    func keep(_ change: @Sendable (inout ImportJob) -> Void) async throws { job.withLock { change(&$0) } }

    func keep(by account: String, for model: String, _ next: @Sendable () async throws -> [UInt8]?) async throws
        -> String
    {
        throw ImportFileError.unwritable
    }

    func file(_ id: String, of account: String, for model: String) async -> (any ImportSource)? { nil }
    func discard(_ id: String, of account: String, for model: String) async {}
    func isWaiting(_ id: String, of account: String, for model: String) async -> Bool { true }
    func job(of account: String, for model: String) async -> ImportJob? { ended }

    func begin(
        _ job: ImportJob, of account: String, for model: String,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError) {
        throw .gone
    }

    func resume(
        with id: String, of account: String, for model: String, byItself: Bool,
        _ work: @escaping @Sendable (ImportJob, any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError) {
        var begun = ended
        begun.resume(byItself: byItself)
        let ended = await work(begun, source, self)
        job.withLock { $0 = ended }
    }
}
