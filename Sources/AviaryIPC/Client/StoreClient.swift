package import AviaryDomain
package import Foundation
package import Logging
import NIOCore

/// A client of the store in another process. It talks to the store over the store's socket.
///
/// When a connection is lost, the client sends the request again, at most twice and only until the deadline. The
/// change set's receipt makes these retries idempotent. After the deadline the store does not begin the request,
/// unless a large delete or undo has postponed it: then the client waits for as long as the store.
package final class StoreClient: Sendable {
    /// The time that a write may wait for the store.
    package static let patience: Duration = .seconds(5)

    let patience: Duration
    private let identity: ClientIdentity
    private let limits: ClientLimits
    private let link: ReconnectingConnection
    private let window: InFlightLimit

    /// Creates a client. It connects with the first request.
    ///
    /// - Parameters:
    ///   - path: The path of the store's socket.
    ///   - kind: The kind of this process.
    ///   - schema: The models that this process knows, which the store checks; nil when it reads and writes no
    ///     records.
    ///   - versions: The versions of the protocol that this process speaks.
    ///   - logger: The logger that receives the reason when the store rejects this process.
    package init(
        path: String, as kind: ClientIdentity.Kind = .command, schema: Schema? = nil,
        versions: ProtocolVersions = .own, patience: Duration = StoreClient.patience,
        limits: ClientLimits = ClientLimits(), logger: Logger = Logger(label: "aviary.store-client")
    ) {
        self.patience = patience
        self.limits = limits
        identity = ClientIdentity(kind: kind, pid: getpid(), schema: schema?.summary ?? [])
        link = ReconnectingConnection(
            path: path, identity: identity, versions: versions, limits: limits, logger: logger)
        window = InFlightLimit(requests: limits.requests, bytes: limits.bytes)
    }

    /// Sends the request until there is an answer or the deadline has passed.
    func ask(_ request: StoreRequest, patience: Duration? = nil) async throws(StoreError) -> StoreResponse {
        let patience = patience ?? self.patience
        let deadline = MonotonicTime.now.advanced(by: patience)
        var body = ByteBuffer()
        request.write(to: &body)
        let largest = identity.kind == .worker ? limits.largestFormFrame : limits.largestFrame
        guard body.readableBytes + Frame.headerLength <= largest else {
            throw .malformed("it is larger than the \(TextFormatter.grouped(largest)) bytes that can be sent at once.")
        }
        let size = body.readableBytes
        guard window.enter(bytes: size) else { throw .busy(retryAfter: 1) }
        defer { window.leave(bytes: size) }
        return try await send(body, until: deadline, patience)
    }

    /// - Parameter patience: The time that the request has again when a store ended that had postponed it.
    private func send(
        _ body: ByteBuffer, until end: MonotonicTime, _ patience: Duration
    ) async throws(StoreError) -> StoreResponse {
        var deadline = end
        // The store may have carried out a request that was sent and not answered, whatever it answers to a retry
        // that it did not begin.
        var isUncertain = false
        var losses = 0
        while true {
            switch await attempt(body, deadline) {
            case .success(.answered(let answer)?): return try result(of: answer, isUncertain)
            case .success(.lost(let wasPostponed)?):
                isUncertain = true
                losses += 1
                if wasPostponed { deadline = .now.advanced(by: patience) }
                // The request itself may crash the store. Sending it forever would crash every store that is
                // started.
                if losses > limits.repeats { throw .unanswered }
            case .success(nil), .failure(.unreachable): break
            case .failure(.refused(let reason)): throw isUncertain ? .unanswered : .unavailable(reason)
            }
            guard !deadline.isPast, !Task.isCancelled else {
                throw isUncertain ? .unanswered : .unavailable("it cannot be reached.")
            }
            try? await Task.sleep(for: limits.pauseBeforeRepeat)  // when cancelled, the check above ends this
        }
    }

    private func attempt(
        _ body: ByteBuffer, _ deadline: MonotonicTime
    ) async -> Result<PendingRequests.Outcome?, ReconnectingConnection.Failure> {
        do throws(ReconnectingConnection.Failure) {
            let connection = try await link.connection(until: deadline)
            return .success(await connection.send(body, deadline: deadline, grace: limits.grace))
        } catch {
            return .failure(error)
        }
    }

    private func result(of answer: ByteBuffer, _ isUncertain: Bool) throws(StoreError) -> StoreResponse {
        let response: StoreResponse
        do {
            response = try StoreResponse(answer)
        } catch {
            // The answer comes from a newer store. This process cannot read it, so the outcome is unknown.
            throw .unanswered
        }
        guard case .refused(let error) = response else { return response }
        throw isUncertain && error.saysNothingOfEarlierTries ? .unanswered : error
    }

    package func close() {
        link.close()
    }
}

extension StoreError {
    /// Indicates whether the store rejected the request before it checked whether it had already carried it out.
    fileprivate var saysNothingOfEarlierTries: Bool {
        switch reason {
        case .busy, .unavailable, .outOfSpace: true
        default: false
        }
    }
}

extension StoreClient: ChangeWriter {
    /// The number of changes that are assumed to take a second.
    ///
    /// The store applies far more, so a slow machine does not time out.
    private static let changesPerSecond = 2000
    /// The time that an undo or a delete may wait. The store finds or restores all records first, which can be many.
    private static let undoPatience: Duration = .seconds(60)

    package func write(_ request: WriteRequest) async throws(StoreError) -> Receipt? {
        let patience: Duration =
            switch request {
            // A delete may take many records along.
            case .submit(let changeSet) where changeSet.changes.contains(where: \.isDelete): Self.undoPatience
            // A large import takes the store a while; a form's change set does not.
            case .submit(let changeSet): patience + .seconds(changeSet.changes.count / Self.changesPerSecond)
            case .undo: Self.undoPatience
            case .discard: patience
            }
        switch (try await ask(.write(request), patience: patience), request) {
        case (.stored(let receipt), .submit), (.stored(let receipt), .undo): return receipt
        case (.discarded, .discard): return nil
        default: throw .unexpectedAnswer
        }
    }
}

extension StoreClient {
    /// Discards a draft, or stops the change set of a large delete for good.
    ///
    /// - Parameter patience: The time for which the store may take the request.
    package func discard(draft id: UUID, patience: Duration) async throws(StoreError) {
        guard case .discarded = try await ask(.write(.discard(draft: id)), patience: patience) else {
            throw .unexpectedAnswer
        }
    }
}

extension Change {
    fileprivate var isDelete: Bool { if case .delete = self { true } else { false } }
}

extension StoreClient: StoreReplacing {
    /// The time that a replacement may wait. A slow disk takes longer than a form may.
    private static let replacementPatience: Duration = .seconds(120)

    package func replaceContents(
        withStoreAt path: String, keepingReplacedAt kept: String, holder: UUID
    ) async throws(StoreError) -> Int64 {
        let answer = try await ask(
            .replaceContents(path: path, kept: kept, holder: holder), patience: Self.replacementPatience)
        guard case .replaced(let commit) = answer else { throw .unexpectedAnswer }
        return commit
    }

    package func acquireWriteLease(for holder: UUID) async throws(StoreError) {
        guard case .held = try await ask(.acquireWriteLease(holder: holder)) else { throw .unexpectedAnswer }
    }

    package func releaseWriteLease(for holder: UUID) async throws(StoreError) {
        guard case .held = try await ask(.releaseWriteLease(holder: holder)) else { throw .unexpectedAnswer }
    }
}

extension StoreClient {
    package func exchangeMetrics(_ report: Data, patience: Duration) async throws(StoreError) -> Data {
        guard case .metrics(let answer) = try await ask(.metrics(report), patience: patience) else {
            throw .unexpectedAnswer
        }
        return answer
    }

    package func status(patience: Duration? = nil) async throws(StoreError) -> StoreStatus {
        guard case .status(let status) = try await ask(.status, patience: patience) else { throw .unexpectedAnswer }
        return status
    }

    /// Waits until the store has welcomed or rejected this process, for as long as it takes.
    ///
    /// A store that is starting leaves the connection in the queue of its socket, so its answer is one of its first acts.
    package func waitUntilReady() async {
        while !Task.isCancelled {
            do throws(ReconnectingConnection.Failure) {
                _ = try await link.connection(until: .now.advanced(by: limits.handshake))
                return
            } catch {
                if case .refused = error { return }
            }
            try? await Task.sleep(for: limits.pauseBeforeRepeat)  // when cancelled, the condition above ends this
        }
    }

    /// Makes the store check its file after a read of this process has met damage.
    ///
    /// The store's status shows the result of the check.
    ///
    /// - Throws: ``StoreError/Code/malformed`` from a store process of an earlier version, which does not start a
    ///   check.
    package func checkFile() async throws(StoreError) {
        guard case .status = try await ask(.checkFile) else { throw .unexpectedAnswer }
    }

    /// Stops a large delete or undo that is not committed yet, so that nothing of it is done.
    ///
    /// - Returns: The status of the store after the request.
    /// - Throws: ``StoreError/Code/malformed`` from a store process of an earlier version, which stops nothing.
    package func stopLongChange(_ changeSet: UUID) async throws(StoreError) -> StoreStatus {
        guard case .status(let status) = try await ask(.stopLongChange(changeSet)) else { throw .unexpectedAnswer }
        return status
    }
}

extension StoreError {
    fileprivate static let unexpectedAnswer = StoreError.unavailable("it answered something else than was asked.")
}

/// The limits of one process's requests to the store.
package struct ClientLimits: Sendable {
    package var requests = 1024
    package var bytes = 64 * 1024 * 1024
    /// The size of a worker's largest frame, in bytes.
    ///
    /// It equals the server's limit; the server rejects larger frames.
    package var largestFormFrame = 16 * 1024 * 1024
    package var largestFrame = 256 * 1024 * 1024
    /// The time within which the store must greet after it has accepted the connection.
    package var handshake: Duration = .seconds(10)
    /// The time for which a refusal answers every request, before the client connects again.
    package var refusalPause: Duration = .seconds(1)
    /// The number of times that a request is sent again after its connection was lost.
    package var repeats = 2
    package var pauseBeforeRepeat: Duration = .milliseconds(20)
    /// The time after the deadline in which the client still waits for an answer.
    ///
    /// The store may have begun the request just before the deadline.
    package var grace: Duration = .milliseconds(500)

    package init() {}
}
