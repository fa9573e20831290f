import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The signals that end a serving process.
///
/// After SIGTERM it waits a little for requests that clients may still send, and after SIGINT less. Requests that
/// have begun are answered in both cases.
final class ShutdownSignals: Sendable {
    private static let patience: Duration = .seconds(1)
    /// The wait after SIGINT. A person at a terminal does not notice it, and requests that are on their way
    /// arrive.
    private static let hurriedPatience: Duration = .milliseconds(200)

    private let isHurried = Atomic(false)

    /// The time that the process waits for connections without a request.
    var linger: Duration { isHurried.load(ordering: .acquiring) ? Self.hurriedPatience : Self.patience }

    /// Runs the group until a signal ends it.
    func run(_ group: ServiceGroup) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let ending = Task {
            for await signal in signals {
                if signal == .sigint { isHurried.store(true, ordering: .releasing) }
                await group.triggerGracefulShutdown()
            }
        }
        defer { ending.cancel() }
        try await group.run()
    }
}

extension ServiceGroupConfiguration {
    /// Returns a configuration whose services end in reverse order, within ten seconds.
    static func shutdown(logger: Logger, services: [any Service]) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: NamedService(service: $0)) }, logger: logger.forLibraries
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        return configuration
    }
}

/// A wrapper that gives a service a short description.
///
/// The library names a service by printing it. Without a description of its own, a service prints all of its
/// contents, which took two thirds of the time to the first page.
private struct NamedService: Service, CustomStringConvertible {
    let service: any Service

    var description: String { "\(type(of: service))" }

    func run() async throws { try await service.run() }
}

/// The terminal that a server was started on, if any.
struct ControllingTerminal: Sendable {
    private let descriptors: [CInt]

    init() {
        descriptors = (0...2).filter { isatty($0) == 1 }
    }

    /// Indicates whether the terminal was closed. The resulting SIGHUP ends the server.
    var hasHungUp: Bool {
        descriptors.contains { descriptor in
            var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLHUP) != 0
        }
    }
}
