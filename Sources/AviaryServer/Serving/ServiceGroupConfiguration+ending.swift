import Logging
import ServiceLifecycle
import UnixSignals

extension ServiceGroupConfiguration {
    /// Services that end in reverse order on a signal, within ten seconds.
    static func ending(
        gracefullyOn signals: [UnixSignal], logger: Logger, services: [any Service]
    ) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, gracefulShutdownSignals: signals, logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        return configuration
    }
}
