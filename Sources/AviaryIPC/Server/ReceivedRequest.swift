import AviaryDomain
import Foundation
import NIOCore

/// A request that was let in, on its way to its answer.
struct ReceivedRequest: Sendable {
    /// Larger ones are decoded apart from the event loop.
    static let largestInPlace = 64 * 1024

    let frame: Frame
    let bytes: Int
    let view: ClientView?
    /// The kind of the client, by its own words.
    let kind: ClientIdentity.Kind
    let connection: ServerConnection

    enum Work {
        case write(QueuedWrite)
        case other(StoreRequest)
    }

    /// Nil when it cannot be read, which is answered.
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

    /// For one that is large: what is to be written, if it is that.
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
            case .replaceContents(let path, let holder):
                try checkMayHold()
                answer(.replaced(commit: try await service.replaceContents(withStoreAt: path, holder: holder)))
            case .holdWrites(let holder):
                try checkMayHold()
                try await hold(for: holder, with: service)
                answer(.held)
            case .releaseWrites(let holder):
                try checkMayHold()
                try await service.releaseWrites(for: holder)
                connection.removeHolder(holder)
                answer(.held)
            case .status: answer(.status(await service.status()))
            case .metrics(let report): answer(.metrics(await service.exchangeMetrics(report)))
            case .checkFile:
                await service.checkFile()
                answer(.status(await service.status()))
            case .write: answer(.refused(.malformed("the request cannot be read.")))
            }
        } catch {
            answer(.refused(error))
        }
    }

    /// - Throws: ``StoreError/malformed(_:)`` for the user's own program: restores are begun by the admin and by a command.
    private func checkMayHold() throws(StoreError) {
        guard kind != .app else { throw .malformed("only a restore may hold writes and replace what is stored.") }
    }

    /// Holds writes as long as the connection lasts: who held them cannot release them when it has ended.
    private func hold(for holder: UUID, with service: any StoreService) async throws(StoreError) {
        guard connection.addHolder(holder) else { throw .unavailable("the connection has ended.") }
        try await service.holdWrites(for: holder)
        // The connection's end abandons the holds of its holders, but this one may not have begun by then.
        if connection.hasEnded { await service.abandonWrites(for: holder) }
    }

    private func queued(_ request: WriteRequest) -> QueuedWrite {
        QueuedWrite(request, before: frame.deadline) { result in
            switch result {
            case .success(let receipt?): answer(.stored(receipt))
            case .success(nil): answer(.discarded)
            case .failure(let error): answer(.refused(view?.error(error) ?? error))
            }
        }
    }

    private func answer(_ response: StoreResponse) {
        connection.answer(frame.id, response, bytes: bytes)
    }
}

/// Whether a client may write, by what it says of itself.
struct Admission: Sendable {
    let schema: Schema

    enum Decision: Sendable {
        /// With how it sees records, where that is not as the store does.
        case welcome(ClientView?)
        case refused(String)
    }

    /// An older client is as good as an equal one when only additions lie between: what it does not name gets its default.
    func decide(_ client: ClientIdentity) -> Decision {
        guard !client.schema.isEmpty, client.schema != schema.summary else { return .welcome(nil) }
        let summary = SchemaSummary(lines: client.schema)
        let difference = SchemaDifference(from: summary, to: schema)
        guard difference.kind <= .additive else {
            let subjects = difference.changes.filter { $0.kind > .additive }.map(\.subject)
            let list = Words.list(
                Array(subjects.prefix(5)) + (subjects.count > 5 ? ["\(subjects.count - 5) more"] : []))
            return .refused("its models are not those of this process (\(list)). Let both run the same program.")
        }
        return .welcome(ClientView(summary, in: schema))
    }
}

/// How a client sees the store's records: it may know fewer properties, and in another order.
struct ClientView: Sendable {
    /// For each model that it sees otherwise, where its properties are among the store's; nil for one that the store has not.
    private let columns: [String: [Int?]]

    /// Nil when the client sees what the store sees.
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

    /// A conflict shows a record as it is now, in the order of the store's properties.
    func error(_ error: StoreError) -> StoreError {
        guard case .conflict(let model, let record) = error, let columns = columns[model] else { return error }
        let values = columns.map { index in
            index.flatMap { $0 < record.values.count ? record.values[$0] : nil } ?? .null
        }
        return .conflict(model: model, current: Record(id: record.id, version: record.version, values: values))
    }
}
