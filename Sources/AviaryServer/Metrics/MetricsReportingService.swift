import ServiceLifecycle

/// Tells the store each second what this worker has recorded, and once more when everything else in it has ended.
struct MetricsReportingService: Service {
    let container: DependencyContainer

    private static let pause: Duration = .seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await container.reportMetrics()
                try? await Task.sleep(for: Self.pause)  // when cancelled, the loop ends
            }
        }
        await container.reportMetrics()
    }
}
