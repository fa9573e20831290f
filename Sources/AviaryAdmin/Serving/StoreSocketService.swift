package import AviaryDomain
package import AviaryIPC
import Foundation
import Logging
import ServiceLifecycle

/// A service that serves the store's socket. It ends after all services that write through the socket.
struct StoreSocketService: Service {
    let container: DependencyContainer
    let descriptor: CInt
    let logger: Logger

    func run() async throws {
        guard let store = container.storeService else { return }
        let server = StoreServer(service: store, schema: container.schema, logger: logger)
        await cancelWhenGracefulShutdown {
            do {
                try await server.run(on: descriptor)
            } catch is CancellationError {
                return
            } catch {
                logger.error("the store's socket ended", error: error)
            }
        }
    }
}

/// A hook with which a test program replaces the store by a faulty one, to check that the load harness detects the
/// fault.
///
/// Nothing in the library sets it, and no flag or environment variable can.
package enum StoreServiceReplacement {
    @TaskLocal package static var replace: @Sendable (any StoreService) -> any StoreService = { $0 }
}

/// A log of the checks of a store's file and their results, for the operator.
struct FileCheckLog: Sendable {
    let logger: Logger

    func logEvent(_ check: FileCheck) {
        switch check {
        case .notNeeded, .running, .ok: logger.notice("check of the store's file: \(check)")
        case .unfinished: logger.warning("check of the store's file: \(check)")
        case .damaged: logger.critical("check of the store's file: \(check)")
        }
    }
}

/// The report of `status` about the check of the store's file.
package struct FileCheckReport: Encodable {
    package enum State: String, Encodable, CaseIterable {
        case notNeeded, running, ok, damaged, unfinished
    }

    package let state: State
    /// The time at which the check ended.
    let at: String?
    /// The problems that the check found.
    let problems: [String]
    package let text: String

    package init(_ check: FileCheck) {
        text = "\(check)"
        switch check {
        case .notNeeded: (state, at, problems) = (.notNeeded, nil, [])
        case .running: (state, at, problems) = (.running, nil, [])
        case .ok(let time): (state, at, problems) = (.ok, time.rfc3339, [])
        case .damaged(let lines, let time): (state, at, problems) = (.damaged, time.rfc3339, lines)
        case .unfinished: (state, at, problems) = (.unfinished, nil, [])
        }
    }
}

/// A log of leases that expired because their restore did not release them, for the operator.
struct ExpiredLeaseLog: Sendable {
    let logger: Logger

    func logEvent(_ duration: Duration) {
        logger.warning(
            "writes were held for a restore that did not release them, and go on",
            metadata: [
                "seconds": .stringConvertible(duration.components.seconds)
            ])
    }
}
