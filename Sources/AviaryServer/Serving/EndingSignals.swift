import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// How a process that serves is told to end: SIGTERM lets it wait a little for what its clients may still send, SIGINT
/// hardly. What has begun is answered either way.
final class EndingSignals: Sendable {
    private static let patience: Duration = .seconds(1)
    /// Nobody at a terminal notices it, and what is just on its way arrives.
    private static let hurriedPatience: Duration = .milliseconds(200)

    private let isHurried = Atomic(false)

    /// How long connections without a request are waited for.
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

/// The terminal that a server was started on, if it was.
struct ControllingTerminal: Sendable {
    private let descriptors: [CInt]

    init() {
        descriptors = (0...2).filter { isatty($0) == 1 }
    }

    /// Whether it was closed since. The SIGHUP that comes of it ends a server.
    var hasHungUp: Bool {
        descriptors.contains { descriptor in
            var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLHUP) != 0
        }
    }
}
