import ActivityFeature
import AviaryData
import AviaryDomain
import AviaryIPC
import Foundation

extension DependencyContainer {
    /// What the overview draws, for all who ask this process.
    func keptFigures(now: @escaping @Sendable () -> Date) -> KeptValue<DashboardFigures> {
        let (models, statistics) = (models.map(\.configuration), statistics)
        return KeptValue(for: .seconds(DashboardFigures.lifetime)) {
            try await DashboardFigures.count(models, statistics: statistics, at: now())
        }
    }

    func keptHealth() -> KeptValue<StoreHealth> {
        KeptValue(for: .seconds(StoreHealth.lifetime)) { await health() }
    }

    private func health() async -> StoreHealth {
        let status = await storeStatus(), folder = SnapshotFolder(directory.path)
        return StoreHealth(
            store: status.map { StoreHealth.Store(fileCheck: $0.fileCheck, waiting: $0.waiting) },
            size: directory.storeSize + directory.logSize, lastBackup: folder.files().first,
            backupWarning: folder.backupState()?.warning(at: Date())
        )
    }
}
