import ActivityFeature
import AviaryData
import AviaryDomain
import AviaryIPC
import Foundation

extension DependencyContainer {
    /// What the overview draws, for all who ask this process.
    func cachedFigures(now: @escaping @Sendable () -> Date) -> CachedValue<DashboardFigures> {
        let (models, statistics) = (models.map(\.configuration), statistics)
        return CachedValue(for: .seconds(DashboardFigures.lifetime)) {
            try await DashboardFigures.count(models, statistics: statistics, at: now())
        }
    }

    func cachedHealth(now: @escaping @Sendable () -> Date) -> CachedValue<StoreHealth> {
        CachedValue(for: .seconds(StoreHealth.lifetime)) { await health(at: now()) }
    }

    private func health(at now: Date) async -> StoreHealth {
        let status = await storeStatus(), folder = SnapshotFolder(directory.path)
        return StoreHealth(
            store: status.map { StoreHealth.Store(fileCheck: $0.fileCheck, waiting: $0.waiting) },
            size: directory.storeSize + directory.logSize, lastBackup: folder.files().first,
            backupWarning: folder.backupState()?.warning(at: now),
            dataCheck: DataCheckFile(directory.path).dataCheckState()
        )
    }
}
