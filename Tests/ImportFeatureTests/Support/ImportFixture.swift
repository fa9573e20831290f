import AviaryData
import AviaryDomain
import Foundation
import Synchronization

@testable import ImportFeature

/// A store with animals, and a stopped import of a file of them.
struct ImportFixture: Sendable {
    /// The change set of the batch that was sent when the import stopped.
    let sent = UUID.version7()
    private let schema: Schema
    private let store: Store
    private let readers: ReaderPool
    private let directory = TemporaryDirectory()
    private let principal: Principal

    init(role: Role = .editor) throws {
        principal = Principal(account: UUID(), name: "ada", role: role, epoch: 1)
        schema = try Schema([Category.schema, Animal.schema] + Schema.builtIn)
        let files = try DataDirectory(path: directory.path)
        store = try Store(
            directory: files, schema: schema, sortIndexes: [], history: HistoryPolicy(), onFatalError: { _ in },
            now: { Date() })
        readers = try ReaderPool(directory: files, schema: schema)
    }

    func records(_ model: ModelSchema) -> any RecordRepository {
        SQLRecordRepository(model: model, schema: schema, readers: readers, writer: store)
    }

    func epoch() throws -> String { try readers.restoreEpoch() }

    @discardableResult
    func add(_ name: String, to category: String? = nil, as changeSet: UUID = .version7()) async throws -> Int64 {
        let category = category.map { Category(name: $0) }
        let changes = [category.map { Change.insert($0) }, .insert(Animal(name: name, category: category))].compactMap(
            \.self)
        return try await store.submit(ChangeSet(id: changeSet, author: "ada", changes: changes)).commit
    }

    /// Returns the report of an import of one line.
    func report(to line: Int, by commits: [Int64] = []) -> ImportReport {
        var report = ImportReport()
        (report.inserted, report.lineCount, report.lastLine, report.commits) = (["Animal": 1], 1, line, commits)
        return report
    }

    /// Returns a target that calls closures of the test.
    ///
    /// - Parameters:
    ///   - asked: A closure that is called after the store has reported whether it has a change set.
    ///   - sending: A closure that is called before a change set is sent to the store.
    func target(
        lookingUp: @escaping @Sendable (_ name: FieldValue?) async throws -> Void = { _ in },
        asked: @escaping @Sendable () async throws -> Void = {},
        sending: @escaping @Sendable () async throws -> Void = {},
        epoch: (@Sendable () async throws -> String)? = nil,
        isGood: @escaping @Sendable () async throws -> Bool = { true }
    ) -> ImportTarget {
        let ledger = SQLDraftLedger(readers: readers, writer: store)
        return ImportTarget(
            lookUp: LookUp(fixture: self, lookingUp: lookingUp),
            store: { changeSet in
                try await sending()
                return try await store.submit(changeSet)
            },
            commit: { id in
                let outcome = try await ledger.outcome(ofDraft: id)
                try await asked()
                guard case .saved(let commit)? = outcome else { return nil }
                return commit
            },
            restoreEpoch: epoch ?? { try readers.restoreEpoch() },
            isGood: { _ in try await isGood() }
        )
    }

    /// Continues a stopped import and returns its final job.
    ///
    /// - Parameters:
    ///   - form: The settings in addition to the columns name and category.
    ///   - change: A closure that sets the job's progress at the time it stopped.
    func resume(
        _ text: String, _ form: [String: String] = [:], to target: ImportTarget,
        _ change: (inout ImportJob) -> Void = { _ in }
    ) async throws -> ImportJob {
        let (files, job) = try stopped(text, form, change)
        try await ImportViewModel.resume(
            with: job.file, for: Animal.schema, in: schema, principal: principal, files: files, target: target)
        return files.ended
    }

    /// Continues an import whose process ended, as a server does by itself, and returns its final job.
    ///
    /// - Parameter isDisabled: Indicates whether the owner's account is disabled.
    func continueInterrupted(
        _ text: String, to target: ImportTarget, isDisabled: Bool = false,
        _ change: (inout ImportJob) -> Void = { _ in }
    ) async throws -> ImportJob {
        let (files, job) = try stopped(text, [:], change)
        try await ImportViewModel.continueInterrupted(
            job, in: schema, principal: isDisabled ? nil : principal, files: files, target: target)
        return files.ended
    }

    func canGoOn(to target: ImportTarget) async throws -> Bool {
        let (files, job) = try stopped("name\nKea\n", [:]) { _ in }
        return await ImportViewModel.canGoOn(
            job, for: Animal.schema, principal: principal, files: files, target: target)
    }

    private func stopped(
        _ text: String, _ form: [String: String], _ change: (inout ImportJob) -> Void
    ) throws -> (HeldFile, ImportJob) {
        let fields = form.merging(["column.0": "name", "column.1": "category"]) { first, _ in first }
        var job = ImportJob(
            of: "file", form: fields.map { FormField(name: $0.key, value: $0.value) }, at: Date(),
            owner: ImportJob.Owner(account: principal.account, epoch: 1, model: "Animal", language: nil))
        (job.state, job.restoreEpoch) = (.interrupted, try epoch())
        change(&job)
        return (HeldFile(text, of: job), job)
    }
}

/// A lookup that first calls a closure of the test and then reads from the store.
private struct LookUp: RecordLookup {
    let fixture: ImportFixture
    let lookingUp: @Sendable (FieldValue?) async throws -> Void

    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] {
        try await lookingUp(values["name"])
        return try await fixture.records(model).ids(where: values, limit: 2)
    }

    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool { try await record(id, of: model) != nil }
    func record(_ id: UUID, of model: ModelSchema) async throws -> Record? { try await fixture.records(model).find(id) }
    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int { 0 }
}

/// A counter that is true on one specific call and on no other.
final class Turn: Sendable {
    private let count: Mutex<Int>

    init(_ number: Int = 1) { count = Mutex(number) }

    var isNow: Bool {
        count.withLock { count in
            count -= 1
            return count == 0
        }
    }
}

/// A directory that is removed with its last user.
private final class TemporaryDirectory: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/aviary-import-" + UUID().uuidString

    deinit {
        // The directory is no longer needed. A failure to remove it is harmless.
        try? FileManager.default.removeItem(atPath: path)
    }
}
