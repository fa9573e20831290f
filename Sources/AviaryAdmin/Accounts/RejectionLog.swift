import AviaryDomain
import Foundation
import Logging
import Synchronization

/// A log that records rejected actions as events of the audit log.
///
/// It writes one event per kind at a time. The next write counts the actions that are rejected meanwhile, so that
/// many rejected requests need few commits.
final class RejectionLog: Sendable {
    private struct Rejection: Hashable {
        let account: String
        let address: String
        let subject: String
    }

    /// The largest number of concurrent writes. The log drops further events.
    static let most = 64

    /// The rejections that are being written, each with the number of further ones since then.
    private let writing = Mutex<[Rejection: Int]>([:])
    private let slugs: Set<String>
    private let now: @Sendable () -> Date
    private let store: @Sendable (AuditEvent, Int) async throws -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - slugs: The models' names in addresses. No other text from an address is written into an event.
    ///   - store: A closure that stores an event with the number of its occurrences.
    init(
        slugs: Set<String>, now: @escaping @Sendable () -> Date,
        store: @escaping @Sendable (AuditEvent, Int) async throws -> Void
    ) {
        self.slugs = slugs
        self.now = now
        self.store = store
    }

    /// Records a rejected request without waiting for the store.
    ///
    /// - Parameters:
    ///   - route: The pattern of its path.
    ///   - slug: The model in the path, or nil if it has none.
    func note(
        _ method: String, _ route: String, model slug: String?, by account: String, from address: String, logger: Logger
    ) {
        let model = slug.flatMap { slugs.contains($0) ? $0 : nil }
        let path = model.map { route.replacingOccurrences(of: "{model}", with: $0) } ?? route
        let refusal = Rejection(account: account, address: address, subject: "\(method) \(path)")
        let begins = writing.withLock { writing in
            if let count = writing[refusal] {
                writing[refusal] = count + 1
                return false
            }
            guard writing.count < Self.most else { return false }
            writing[refusal] = 0
            return true
        }
        guard begins else { return }
        Task { await write(refusal, logger: logger) }
    }

    private func write(_ refusal: Rejection, logger: Logger) async {
        var count = 1
        while count > 0 {
            let event = AuditEvent(
                .refused, at: now(), account: refusal.account, address: refusal.address, subject: refusal.subject)
            do {
                try await store(event, count)
            } catch {
                // The action was rejected in any case, and the server's log contains the request.
                logger.warning("a refused action could not be noted", error: error)
            }
            count = writing.withLock { writing in
                let more = writing[refusal] ?? 0
                writing[refusal] = more > 0 ? 0 : nil
                return more
            }
        }
    }
}
