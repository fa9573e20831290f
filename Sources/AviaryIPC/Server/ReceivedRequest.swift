import AviaryDomain
import Foundation
import NIOCore

/// An admitted request that waits for its answer.
struct ReceivedRequest: Sendable {
    /// The size in bytes up to which a request is decoded on the event loop. Larger ones are decoded in a task.
    static let largestInPlace = 64 * 1024

    let frame: Frame
    let bytes: Int
    let view: ClientSchema?
    /// The kind of the client, as the client states it.
    let kind: ClientIdentity.Kind
    let connection: ServerConnection

    enum Work {
        case write(QueuedWrite)
        case other(StoreRequest)
    }

    /// Decodes the request. Answers a request that cannot be read, and returns nil.
    func decoded() -> Work? {
        let request: StoreRequest
        do {
            request = try StoreRequest(frame.body)
        } catch {
            answer(.refused(.malformed("the request cannot be read.")))
            return nil
        }
        return if case .write(let request) = request { .write(queued(request)) } else { .other(request) }
    }

    /// Decodes a large request. Returns a write to the caller; performs any other request and returns nil.
    func begin(with service: any StoreService) async -> QueuedWrite? {
        switch decoded() {
        case .write(let write)?: return write
        case .other(let request)?:
            await perform(request, with: service)
            return nil
        case nil: return nil
        }
    }

    func perform(_ request: StoreRequest, with service: any StoreService) async {
        do throws(StoreError) {
            switch request {
            case .replaceContents(let path, let kept, let holder):
                try requireLeasePermission()
                let commit = try await service.replaceContents(
                    withStoreAt: path, keepingReplacedAt: kept, holder: holder)
                answer(.replaced(commit: commit))
            case .acquireWriteLease(let holder):
                try requireLeasePermission()
                try await acquireLease(for: holder, with: service)
                answer(.held)
            case .releaseWriteLease(let holder):
                try requireLeasePermission()
                try await service.releaseWriteLease(for: holder)
                connection.removeHolder(holder)
                answer(.held)
            case .status: answer(.status(await service.status()))
            case .metrics(let report): answer(.metrics(await service.exchangeMetrics(report)))
            case .checkFile:
                await service.checkFile()
                answer(.status(await service.status()))
            case .stopLongChange(let changeSet):
                guard kind != .app else { throw .malformed("only the admin and commands stop changes.") }
                await service.stopLongChange(changeSet)
                answer(.status(await service.status()))
            case .write: answer(.refused(.malformed("the request cannot be read.")))
            }
        } catch {
            answer(.refused(error))
        }
    }

    /// Rejects the user's own program: only the admin and the commands start restores.
    ///
    /// - Throws: ``StoreError``, `malformed`, for the user's own program.
    private func requireLeasePermission() throws(StoreError) {
        guard kind != .app else { throw .malformed("only a restore may hold writes and replace what is stored.") }
    }

    /// Holds writes as long as the connection lasts.
    ///
    /// A client whose connection has ended cannot release them any more.
    private func acquireLease(for holder: UUID, with service: any StoreService) async throws(StoreError) {
        guard connection.addHolder(holder) else { throw .unavailable("the connection has ended.") }
        try await service.acquireWriteLease(for: holder)
        // The connection may have ended while the store had not yet reached this request.
        if connection.hasEnded { await service.abandonWriteLease(for: holder) }
    }

    private func queued(_ request: WriteRequest) -> QueuedWrite {
        // The answer must not keep the bytes of the frame, which are many for a large delete that waits.
        let (connection, id, bytes, view) = (connection, frame.id, bytes, view)
        return QueuedWrite(request, before: frame.deadline, postponed: { connection.postpone(id) }) { result in
            let response: StoreResponse =
                switch result {
                case .success(let receipt?): .stored(receipt)
                case .success(nil): .discarded
                case .failure(let error): .refused(view?.error(error) ?? error)
                }
            connection.answer(id, response, bytes: bytes)
        }
    }

    private func answer(_ response: StoreResponse) {
        connection.answer(frame.id, response, bytes: bytes)
    }
}

/// The rule that decides whether a client may write, by what the client states about itself.
struct WriteAdmission: Sendable {
    let schema: Schema

    enum Decision: Sendable {
        /// A welcome. The view says how the client sees records, or is nil when it sees them as the store does.
        case welcome(ClientSchema?)
        case refused(String)
    }

    /// Decides whether the client fits the store's schema.
    ///
    /// The store accepts an older client when the schemas differ only in additions: a property that the client
    /// does not name gets its default value.
    func decide(_ client: ClientIdentity) -> Decision {
        guard !client.schema.isEmpty, client.schema != schema.summary else { return .welcome(nil) }
        let summary = SchemaSummary(lines: client.schema)
        let difference = SchemaDifference(from: summary, to: schema)
        guard difference.kind <= .additive else {
            let subjects = difference.changes.filter { $0.kind > .additive }.map(\.subject)
            let list = TextFormatter.list(
                Array(subjects.prefix(5)) + (subjects.count > 5 ? ["\(subjects.count - 5) more"] : []))
            return .refused("its models are not those of this process (\(list)). Let both run the same program.")
        }
        return .welcome(ClientSchema(summary, in: schema))
    }
}

/// A client's view of the store's records. The client may know fewer properties, in another order.
struct ClientSchema: Sendable {
    /// The positions of the client's properties among the store's, for each model that the two order differently.
    ///
    /// A nil position stands for a property that the store does not have.
    private let columns: [String: [Int?]]

    /// Creates a view, or returns nil when the client sees records as the store does.
    init?(_ client: SchemaSummary, in schema: Schema) {
        var columns: [String: [Int?]] = [:]
        for (name, properties) in client.models {
            guard let model = schema.model(name) else { continue }
            let own = properties.map { model.storedIndex(of: $0.name) }
            if own != model.storedProperties.indices.map(Optional.some) { columns[name] = own }
        }
        guard !columns.isEmpty else { return nil }
        self.columns = columns
    }

    /// Returns the error as the client sees it.
    ///
    /// A conflict carries the current record, with its values in the order of the store's properties. The client
    /// receives them in the order of its own properties.
    func error(_ error: StoreError) -> StoreError {
        guard case .conflict(let model, let record) = error.reason, let columns = columns[model] else { return error }
        let values = columns.map { index in
            index.flatMap { $0 < record.values.count ? record.values[$0] : nil } ?? .null
        }
        return .conflict(model: model, current: Record(id: record.id, version: record.version, values: values))
    }
}
