import AviaryData
import AviaryDomain
import Foundation
import Logging

extension DependencyContainer {
    /// The checks of the data that the process that owns the store makes by itself.
    func dataCheckService(every interval: TimeInterval?, of app: AppDefinition, logger: Logger) -> DataCheckService {
        let path = directory.path, interruption = Interruption()
        let check = DataCheck(
            data: path, schema: app.schema, history: app.history, workShare: DataCheckService.workShare,
            interruption: interruption)
        return DataCheckService(
            interval: interval, storage: DataCheckFile(path), logger: logger,
            work: DataCheckWork(
                run: { try await check.run(givingWay: true) }, interrupt: { interruption.request() },
                isInterrupted: { interruption.isRequested }))
    }

    /// Checks the data of a directory at once, until a signal ends it.
    static func checkData(
        of app: AppDefinition, data path: String, progress: @escaping @Sendable (DataCheckProgress) -> Void
    ) async throws -> DataCheckReport {
        try await DataCheck(
            data: path, schema: app.schema, history: app.history, interruption: .onSignals(), report: progress
        ).run()
    }
}

extension ServedDirectory {
    /// Nil when the server makes no data checks by itself.
    var dataCheckState: DataCheckState? { DataCheckFile(path).dataCheckState() }
}
