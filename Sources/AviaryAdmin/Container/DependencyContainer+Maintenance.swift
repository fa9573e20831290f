import AviaryData
package import AviaryDomain
package import Foundation
import Logging

extension DependencyContainer {
    /// Returns the service for the data checks that the process that owns the store makes by itself.
    func dataCheckService(every interval: TimeInterval?, of app: AppDefinition, logger: Logger) -> DataCheckService {
        let path = directory.path, cancellationToken = CancellationToken()
        let check = DataCheck(
            data: path, schema: app.schema, history: app.history, engine: directory.engine,
            workShare: DataCheckService.workShare,
            cancellationToken: cancellationToken)
        return DataCheckService(
            interval: interval, storage: DataCheckFile(path), logger: logger,
            work: DataCheckWork(
                run: { try await check.run(isLowPriority: true) }, interrupt: { cancellationToken.request() },
                isInterrupted: { cancellationToken.isRequested }))
    }

    /// Checks the data of a directory at once. A signal interrupts the check.
    package static func checkData(
        of app: AppDefinition, at location: StoreLocation, progress: @escaping @Sendable (DataCheckProgress) -> Void
    ) async throws -> DataCheckReport {
        try await DataCheck(
            data: location.path, schema: app.schema, history: app.history, engine: location.engine,
            cancellationToken: .onSignals(), report: progress
        ).run()
    }
}

extension ServerDirectory {
    /// The state of the server's data checks, or nil if it makes none by itself.
    package var dataCheckState: DataCheckState? { DataCheckFile(path).dataCheckState() }
}

extension DependencyContainer {
    /// Rebuilds the file of a directory on which no server runs, or only reports what it would do.
    ///
    /// - Returns: The report for a person, and whether no record is lost.
    package static func repair(
        _ directory: ServerDirectory, of app: AppDefinition, isDry: Bool, at time: Date
    ) throws -> (text: String, isComplete: Bool) {
        let repair = StoreRepair(
            of: directory.files, schema: app.schema, sortIndexes: app.sortIndexes, engine: directory.engine)
        let report = try withExtendedLifetime(directory) { try repair.run(isDry: isDry, at: time) }
        return (report.text(isDry: isDry), report.isComplete)
    }
}

extension RepairReport {
    private static let named = 20

    fileprivate func text(isDry: Bool) -> String {
        var lines = records.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { model, count in
            "\(TextFormatter.grouped(count)) \(model)"
        }
        for (model, ids) in recovered.sorted(by: { $0.key < $1.key }) {
            lines.append("From the history of changes: \(ids.count) \(model)\(list(ids))")
        }
        for (model, ids) in lost.sorted(by: { $0.key < $1.key }) {
            lines.append("LOST: \(ids.count) \(model)\(list(ids))")
        }
        for (model, count) in unnamed.sorted(by: { $0.key < $1.key }) {
            lines.append("LOST: about \(TextFormatter.grouped(count)) \(model) that nothing names")
        }
        lines += notes
        if let copy { lines.append("The file as it was: \(copy)") }
        lines.append(isDry ? "Nothing was changed." : "Everything that follows from the records was made anew.")
        return lines.joined(separator: "\n")
    }

    private func list(_ ids: [UUID]) -> String {
        ids.prefix(Self.named).map { "\n  \($0.canonicalText)" }.joined()
            + (ids.count > Self.named ? "\n  and \(TextFormatter.grouped(ids.count - Self.named)) more" : "")
    }
}
