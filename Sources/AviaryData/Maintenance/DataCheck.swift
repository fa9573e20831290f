package import AviaryDomain
import Foundation

/// A check of the data that a store derives from its records: totals, text indexes, links, and the history.
///
/// It compares the records with the history, too. The check reads in slices, each in a read transaction of its own,
/// so that it blocks checkpoints of the write-ahead log only briefly and uses little memory. The result of each
/// slice is true for one committed state.
package struct DataCheck: Sendable {
    /// The number of rows in a slice.
    private static let sliceSize = 500
    /// The time limit of one slice. The longest slice counts a table's rows.
    private static let limit: Duration = .seconds(3_600)
    /// The number of attempts: each restore during the check starts it again.
    private static let mostBeginnings = 5

    let dataPath: String
    let schema: Schema
    let engine: any StoreEngine
    let excludedModels: Set<String>
    let workShare: Double
    let cancellationToken: CancellationToken
    let report: @Sendable (DataCheckProgress) -> Void

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - history: The policy that says which changes the program's history contains.
    ///   - workShare: The fraction of its time that the check works and does not pause for other work; 1 never
    ///     pauses.
    ///   - report: A function that receives the progress, on the thread that does the check.
    package init(
        data path: String, schema: Schema, history: HistoryPolicy, engine: any StoreEngine = StoreEngines.standard,
        workShare: Double = 1, cancellationToken: CancellationToken = CancellationToken(),
        report: @escaping @Sendable (DataCheckProgress) -> Void = { _ in }
    ) {
        dataPath = path
        self.schema = schema
        self.engine = engine
        excludedModels = history.withoutPassingModels.excludedModels
        self.workShare = workShare
        self.cancellationToken = cancellationToken
        self.report = report
    }

    /// Runs the whole check on a thread of its own.
    ///
    /// - Parameter givesWay: Indicates whether the check runs at a lower priority than everything else on the
    ///   machine.
    /// - Throws: ``StoreOpenError``, ``ReadError``, ``EngineError``, ``SnapshotError/Reason/interrupted``.
    package func run(isLowPriority: Bool = false) async throws -> DataCheckReport {
        try await BlockingWork.run(isLowPriority: isLowPriority) {
            guard DataDirectory.hasStore(at: dataPath) else {
                throw StoreOpenError.missing(path: dataPath + "/store.sqlite")
            }
            return try check(DataDirectory(found: dataPath))
        }
    }

    private func check(_ directory: DataDirectory) throws -> DataCheckReport {
        let reader = try Reader(directory, engine: engine)
        defer { reader.connection.close() }
        let start = ContinuousClock.now
        for _ in 0..<Self.mostBeginnings {
            var run = DataCheckRun(
                tables: ModelTables(schema, engine.dialect), excludedModels: excludedModels, sliceSize: Self.sliceSize)
            do {
                try work(&run, reader)
            } catch is RestoredMeanwhile {
                continue
            }
            return DataCheckReport(
                endedAt: Date(), seconds: (ContinuousClock.now - start) / .seconds(1), records: run.records,
                entries: run.entries, problems: run.problems.listed, problemCount: run.problems.count,
                areAllDerived: run.problems.areAllDerived)
        }
        throw ReadError.storeBusy
    }

    private func work(_ run: inout DataCheckRun, _ reader: Reader) throws {
        var epoch: FieldValue?, isDone = false
        while !isDone {
            try cancellationToken.check()
            let start = ContinuousClock.now
            isDone = try reader.read(within: Self.limit, unless: cancellationToken) { connection in
                try connection.snapshot {
                    if epoch == nil {
                        try StoreLayout.checkIdentity(of: connection)
                        try StoreLayout.check(schema, againstFileOf: connection)
                    }
                    // The history is complete at the end of the long change.
                    guard try LongChange.read(from: connection) == nil else { throw ReadError.storeBusy }
                    let current = try MetaTable.value(.restoreEpoch, in: connection)
                    guard epoch == nil || epoch == current else { throw RestoredMeanwhile() }
                    epoch = current
                    return try run.slice(in: connection)
                }
            }
            report(run.progress)
            pause(after: ContinuousClock.now - start)
        }
    }

    /// Pauses so long that the check works for its share of the time.
    ///
    /// The pause is divided into steps, so that an interruption need not wait for its end.
    private func pause(after work: Duration) {
        guard workShare < 1 else { return }
        let end = ContinuousClock.now + max(.milliseconds(1), work * (1 / workShare - 1))
        while ContinuousClock.now < end, !cancellationToken.isRequested {
            let left = min((end - ContinuousClock.now) / .seconds(1), 0.1)
            if left > 0 { Thread.sleep(forTimeInterval: left) }
        }
    }

    private struct RestoredMeanwhile: Error {}
}

/// A file in the data directory with the results of data checks.
package struct DataCheckFile: DataCheckStorage {
    private let file: JSONFile<DataCheckState>

    package init(_ dataPath: String) {
        file = JSONFile(path: dataPath + "/data-check.json")
    }

    package func dataCheckState() -> DataCheckState? { file.read() }

    package func keep(_ state: DataCheckState?) throws {
        if let state { try file.write(state) } else { file.remove() }
    }
}
