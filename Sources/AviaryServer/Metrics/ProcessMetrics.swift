import AviaryMetrics
import CoreMetrics
import Foundation

/// What this process records, and the ledger's idea of it. One for the process, as swift-metrics has it.
enum ProcessMetrics {
    static let registry: MetricsRegistry = {
        let registry = MetricsRegistry(MetricDescription.all)
        // What the application and the libraries record comes along, unless the application has another place for it:
        // swift-metrics takes no second.
        if MetricsSystem.factory is NOOPMetricsHandler { MetricsSystem.bootstrap(registry) }
        return registry
    }()

    /// Before anything is recorded: what was made earlier records nothing.
    static func begin() {
        _ = registry
    }

    static let http = HTTPMetrics(registry)
    static let reporter = MetricsReporter(registry, identity: identity)

    private static var identity: MetricsReporter.Identity {
        .init(process: getpid(), start: ProcessFigures(getpid())?.startTicks ?? 0)
    }

    /// Whether the process that reported is still there, and is not another one with its id.
    static func isAlive(_ identity: MetricsReporter.Identity) -> Bool {
        if let figures = ProcessFigures(identity.process) { return figures.startTicks == identity.start }
        return identity.start == 0 && kill(identity.process, 0) == 0
    }
}
