import AviaryDomain
import Foundation
import Hummingbird
import Logging

/// A copy of the audit log's events in the log of the process that stores them.
///
/// People who manage accounts cannot change them there.
struct EventLog: Sendable {
    let logger: Logger

    /// The event log of this process; nil when it was not requested.
    static var current: EventLog? { Logger.events.map { EventLog(logger: $0) } }

    /// Logs the events among changes that were stored.
    func logEvents(_ changes: [Change]) {
        for change in changes {
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

    /// Returns the request with an answer that also logs its events once they are stored.
    func loggingEvents(_ write: QueuedWrite) -> QueuedWrite {
        guard case .submit(let changeSet) = write.request else { return write }
        // The other changes of a large delete would occupy memory until the answer.
        let events = changeSet.changes.filter(\.isOfEvent)
        guard !events.isEmpty else { return write }
        let answer = write.answer
        return QueuedWrite(write.request, before: write.deadline, postponed: write.postponed) { result in
            if case .success(let receipt?) = result, !receipt.isRepeat { logEvents(events) }
            answer(result)
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

/// The log of operations on many records: who did what, to how many, and for how long.
///
/// The lines have the id of the request that began the operation. They contain no values of records.
struct OperationLog: Sendable {
    private let logger: Logger
    private let account: String
    private let start = ContinuousClock.now

    /// Begins to measure an operation of the user who sends the request.
    ///
    /// - Throws: The error of a request without a user.
    init(_ context: AdminRequestContext) throws {
        logger = context.logger
        account = try context.principal.name
    }

    /// Logs the operation.
    ///
    /// - Parameters:
    ///   - message: The outcome, without values.
    ///   - metadata: The object and the numbers of the operation.
    func note(_ message: Logger.Message, _ metadata: Logger.Metadata) {
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        logger.notice(
            message,
            metadata: ["account": "\(account)", "milliseconds": "\(Int(milliseconds))"].merging(metadata) { own, _ in
                own
            })
    }
}
