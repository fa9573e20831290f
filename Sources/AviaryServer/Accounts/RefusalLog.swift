import AviaryDomain
import Foundation
import Logging
import Synchronization

/// Notes refused actions as events of the audit log, beside the answers.
///
/// One event of each kind is written at a time. The next write counts what is refused meanwhile, so many refused requests
/// are few commits.
final class RefusalLog: Sendable {
    private struct Refusal: Hashable {
        let account: String
        let address: String
        let subject: String
    }

    /// The number of events that are written at a time; a further one is not noted.
    static let most = 64

    /// The refusals that are being written, each with how often it happened since.
    private let writing = Mutex<[Refusal: Int]>([:])
    private let slugs: Set<String>
    private let now: @Sendable () -> Date
    private let store: @Sendable (AuditEvent, Int) async throws -> Void

    /// - Parameters:
    ///   - slugs: The models' names in addresses: no other text of an address gets into an event.
    ///   - store: Stores an event that happened so often.
    init(
        slugs: Set<String>, now: @escaping @Sendable () -> Date,
        store: @escaping @Sendable (AuditEvent, Int) async throws -> Void
    ) {
        self.slugs = slugs
        self.now = now
        self.store = store
    }

    /// Notes a refused request without waiting for the store.
    ///
    /// - Parameters:
    ///   - route: The pattern of its path.
    ///   - slug: The model that the path names, where it names one.
    func note(
        _ method: String, _ route: String, model slug: String?, by account: String, from address: String, logger: Logger
    ) {
        let model = slug.flatMap { slugs.contains($0) ? $0 : nil }
        let path = model.map { route.replacingOccurrences(of: "{model}", with: $0) } ?? route
        let refusal = Refusal(account: account, address: address, subject: "\(method) \(path)")
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

    private func write(_ refusal: Refusal, logger: Logger) async {
        var count = 1
        while count > 0 {
            let event = AuditEvent(
                .refused, at: now(), account: refusal.account, address: refusal.address, subject: refusal.subject)
            do {
                try await store(event, count)
            } catch {
                // Nothing was allowed; the log has the request.
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
