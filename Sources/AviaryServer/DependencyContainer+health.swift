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
        let status = await storeStatus()
        return StoreHealth(
            store: status.map { StoreHealth.Store(fileCheck: $0.fileCheck, waiting: $0.waiting) },
            size: directory.storeSize + directory.logSize, lastBackup: lastBackup
        )
    }

    /// The newest snapshot in the data directory, whoever made it.
    private var lastBackup: StoreHealth.Backup? {
        let folder = URL(filePath: directory.files.snapshotsPath)
        // Where none was made yet there is no such folder.
        let files = (try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.contentModificationDateKey, .fileSizeKey]
        )) ?? []
        return files.filter { $0.lastPathComponent.hasSuffix(".jsonl.gz") }.compactMap { file in
            // Removed meanwhile, it is no backup.
            guard let values = try? file.resourceValues(forKeys: [.contentModificationDateKey, .fileSizeKey]),
                  let time = values.contentModificationDate
            else { return nil }
            return StoreHealth.Backup(name: file.lastPathComponent, time: time, size: values.fileSize ?? 0)
        }.max { $0.time < $1.time }
    }
}
