import AviaryDomain
import Foundation
import Logging

/// Copies the events of the audit log to the log of the process that stores them, so that they are also where nobody who
/// manages accounts can reach them.
struct EventLog: Sendable {
    let logger: Logger

    /// That of this process; nil where none was asked for.
    static var current: EventLog? { Logger.events.map { EventLog(logger: $0) } }

    /// - Parameter changeSet: What was stored.
    func tell(_ changeSet: ChangeSet) {
        for change in changeSet.changes {
            switch change {
            case .insert(AuditEvent.modelName, let id, let values):
                var metadata: Logger.Metadata = ["event": "\(id.canonicalText)"]
                for name in ["kind", "account", "address", "subject", "time"] {
                    if case .text(let text)? = values[name] { metadata[name] = "\(text)" }
                }
                logger.info("event", metadata: metadata)
            case .update(AuditEvent.modelName, let id, _, let values):
                guard case .integer(let count)? = values["count"] else { continue }
                logger.info("event again", metadata: ["event": "\(id.canonicalText)", "count": "\(count)"])
            default: continue
            }
        }
    }

    /// The request, with its events told once they are stored.
    func watching(_ write: QueuedWrite) -> QueuedWrite {
        guard case .submit(let changeSet) = write.request, changeSet.changes.contains(where: \.isOfEvent) else {
            return write
        }
        return QueuedWrite(write.request, before: write.deadline) { result in
            if case .success(let receipt?) = result, !receipt.isRepeat { tell(changeSet) }
            write.answer(result)
        }
    }
}

extension Change {
    fileprivate var isOfEvent: Bool {
        switch self {
        case .insert(AuditEvent.modelName, _, _), .update(AuditEvent.modelName, _, _, _): true
        default: false
        }
    }
}
