import Logging
import ServiceLifecycle

extension ServiceGroupConfiguration {
    /// Services that end in reverse order, within ten seconds, when they are told to.
    static func ending(logger: Logger, services: [any Service]) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: NamedService(service: $0)) }, logger: logger.forLibraries
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        return configuration
    }
}

/// The library names a service by printing it: without a description of its own that is everything it holds, with all that is
/// in there, which took two thirds of the time to the first page.
private struct NamedService: Service, CustomStringConvertible {
    let service: any Service

    var description: String { "\(type(of: service))" }

    func run() async throws { try await service.run() }
}
