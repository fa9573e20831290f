import AviaryDomain
import Hummingbird
import Logging

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
