import Logging
import ServiceLifecycle

extension ServiceGroupConfiguration {
    /// Services that end in reverse order, within ten seconds, when they are told to.
    static func ending(logger: Logger, services: [any Service]) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, logger: logger.forLibraries
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        return configuration
    }
}
