import AviaryDomain
import Logging

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
