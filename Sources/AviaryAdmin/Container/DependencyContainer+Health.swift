import ActivityFeature
import AviaryData
import AviaryDomain
import AviaryIPC
import AviaryMetrics
import Foundation

extension DependencyContainer {
    /// Returns the cached figures of the overview, which all requests of this process share.
    func cachedFigures(now: @escaping @Sendable () -> Date) -> CachedValue<DashboardStatistics> {
        let (models, statistics) = (models.map(\.configuration), statistics)
        return CachedValue(for: .seconds(DashboardStatistics.lifetime)) {
            try await DashboardStatistics.count(models, statistics: statistics, at: now())
        }
    }

    func cachedHealth(now: @escaping @Sendable () -> Date) -> CachedValue<StoreHealth> {
        CachedValue(for: .seconds(StoreHealth.lifetime)) { await health(at: now()) }
    }

    private func health(at now: Date) async -> StoreHealth {
        let status = await storeStatus(), folder = SnapshotFolder(directory.path), database = await databaseState()
        return StoreHealth(
            store: status.map { StoreHealth.Store(fileCheck: $0.fileCheck, waiting: $0.waiting) },
            size: database?.report?.size ?? (directory.storeSize + directory.logSize), database: database,
            lastBackup: folder.files().first,
            backupWarning: folder.backupState()?.warning(at: now),
            dataCheck: DataCheckFile(directory.path).dataCheckState()
        )
    }

    /// Asks the server of the database, for a second at most; nil if the data directory contains the store.
    func databaseState() async -> DatabaseState? {
        let location = directory.location
        guard location.database != nil else { return nil }
        let (answers, continuation) = AsyncStream.makeStream(of: DatabaseReport?.self)
        // A connection attempt cannot be cancelled. It ends by itself, and each read and write that fails logs the reason.
        Task { continuation.yield(try? await location.inspectDatabase()) }
        let deadline = Task {
            try await Task.sleep(for: Self.patience)
            continuation.yield(nil)
        }
        defer { deadline.cancel() }
        return DatabaseState(report: await answers.first { _ in true } ?? nil)
    }
}

extension DependencyContainer {
    private static var patience: Duration { .seconds(1) }

    /// Returns the status of the store, or nil if the store does not respond.
    func storeStatus() async -> StoreStatus? {
        if let storeService { return await storeService.status() }
        return try? await client?.status(patience: Self.patience)  // that it is away is the answer
    }

    /// Sends this process's metrics to the store and returns the sums of all processes, or nil if the store does
    /// not respond.
    @discardableResult
    func reportMetrics(wantsWhole: Bool = false) async -> MetricsResponse? {
        let reporter = ProcessMetrics.reporter
        do {
            let report = reporter.report(wantsWhole: wantsWhole)
            let answer = try await exchange(report)
            guard reporter.take(answer, to: report) else { return answer }
            let whole = reporter.report(wantsWhole: wantsWhole)
            let complete = try await exchange(whole)
            reporter.take(complete, to: whole)
            return complete
        } catch {
            return nil
        }
    }

    private func exchange(_ report: MetricsReport) async throws -> MetricsResponse {
        let message = try MetricsMessage.encode(report)
        let answer =
            if let storeService {
                await storeService.exchangeMetrics(message)
            } else if let client {
                try await client.exchangeMetrics(message, patience: Self.patience)
            } else {
                Data()
            }
        return try MetricsMessage.decode(MetricsResponse.self, from: answer)
    }
}

extension DependencyContainer {
    /// Returns whether opening the store may succeed later without a change to the program or the file: when the
    /// disk has space again, or when another process releases the file.
    package static func isTransient(_ error: any Error, at location: StoreLocation) -> Bool {
        switch error {
        case let error as EngineError:
            isTransient(
                error.kind, isReachable: location.database != nil || DataDirectory.hasWritableStore(at: location.path))
        // Inserting sample data into a new store throws this error.
        case let error as StoreError:
            switch error.reason {
            case .outOfSpace, .busy, .unavailable, .unanswered: true
            default: false
            }
        default: false
        }
    }

    private static func isTransient(_ kind: EngineError.Kind, isReachable: Bool) -> Bool {
        switch kind {
        case .outOfSpace, .outOfMemory, .interrupted, .busy, .disk, .transientIO, .flush, .connectionLost, .collision:
            true
        // If this user may read and write the file, it was the system that lacked resources. A database may be away.
        case .cannotOpen: isReachable
        case .constraint, .unfit, .damage, .other: false
        }
    }
}
