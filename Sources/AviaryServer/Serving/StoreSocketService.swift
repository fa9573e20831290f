import AviaryDomain
package import AviaryIPC
import Foundation
import Logging
import ServiceLifecycle

/// The store's socket as a part of a process: it ends after everything that writes through it.
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

/// Lets a test program put a faulty store in place of the real one, to see that the load harness finds the fault.
///
/// Nothing in the library sets it, and no flag or environment variable can.
package enum StoreServiceReplacement {
    @TaskLocal package static var replace: @Sendable (any StoreService) -> any StoreService = { $0 }
}

/// Tells whoever runs the server that a store's file is checked, and what was found.
struct FileCheckLog: Sendable {
    let logger: Logger

    func tell(_ check: FileCheck) {
        switch check {
        case .notNeeded, .running, .ok: logger.notice("check of the store's file: \(check)")
        case .unfinished: logger.warning("check of the store's file: \(check)")
        case .damaged: logger.critical("check of the store's file: \(check)")
        }
    }
}

/// What `status` tells of the check of the store's file.
struct FileCheckReport: Encodable {
    enum State: String, Encodable, CaseIterable {
        case notNeeded, running, ok, damaged, unfinished
    }

    let state: State
    /// When it ended.
    let at: String?
    /// What is wrong.
    let problems: [String]
    let text: String

    init(_ check: FileCheck) {
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

/// Tells whoever runs the server that writes waited for a restore which was not heard of any more.
struct LapsedHoldLog: Sendable {
    let logger: Logger

    func tell(_ duration: Duration) {
        logger.warning(
            "writes were held for a restore that did not release them, and go on",
            metadata: [
                "seconds": .stringConvertible(duration.components.seconds)
            ])
    }
}
