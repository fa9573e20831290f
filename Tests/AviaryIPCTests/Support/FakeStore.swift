import AviaryIPC
import Foundation
import Synchronization

@testable import AviaryDomain

/// A store in memory that answers at once, or when a test tells it to.
final class FakeStore: StoreService {
    private struct State {
        var commits: [UUID: Int64] = [:]
        var waiting: [QueuedWrite] = []
        var received = 0
        var answersAtOnce: Bool
        var holders: [UUID] = []
        var delaysHolds = false
        var delayed: [CheckedContinuation<Void, Never>] = []
        var abandonments = 0
        var fileChecks = 0
        var stopped: [UUID] = []
    }

    private let state: Mutex<State>

    init(answersAtOnce: Bool = true) {
        state = Mutex(State(answersAtOnce: answersAtOnce))
    }

    /// The number of change sets that arrived, including those that are held back.
    var received: Int { state.withLock { $0.received } }
    var commits: Int { state.withLock { $0.commits.count } }

    func enqueue(_ requests: [QueuedWrite]) {
        let now = state.withLock { state -> [QueuedWrite] in
            state.received += requests.count
            if state.answersAtOnce { return requests }
            state.waiting += requests
            return []
        }
        for request in now { answer(request) }
    }

    /// Answers the waiting requests, the last one first.
    func answerBackwards() {
        for request in take().reversed() { answer(request) }
    }

    /// Performs the waiting requests and answers none of them.
    func applySilently() {
        for request in take() { _ = receipt(request) }
    }

    /// Tells the senders of the waiting requests that a long change comes first.
    func postponeAll() {
        for request in state.withLock({ $0.waiting }) { request.postponed() }
    }

    func refuseAll(with error: StoreError) {
        for request in take() { request.answer(.failure(error)) }
    }

    /// The holders that hold writes.
    var holders: [UUID] { state.withLock { $0.holders } }

    /// The number of holders that were released because their connections had ended.
    var abandonments: Int { state.withLock { $0.abandonments } }
    var delayedHolds: Int { state.withLock { $0.delayed.count } }

    /// Delays requests to hold writes until ``goOnWithHolds()``.
    func delayHolds() {
        state.withLock { $0.delaysHolds = true }
    }

    func goOnWithHolds() {
        let turns = state.withLock { state in
            defer { state.delayed = [] }
            state.delaysHolds = false
            return state.delayed
        }
        for turn in turns { turn.resume() }
    }

    private func end(_ holder: UUID) {
        state.withLock { $0.holders.removeAll { $0 == holder } }
    }

    private func take() -> [QueuedWrite] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func answer(_ write: QueuedWrite) {
        write.answer(.success(receipt(write)))
    }

    private func receipt(_ write: QueuedWrite) -> Receipt? {
        guard case .submit(let changeSet) = write.request else { return nil }
        return state.withLock { state in
            if let commit = state.commits[changeSet.id] {
                return Receipt(changeSet: changeSet.id, commit: commit, isRepeat: true)
            }
            let commit = Int64(state.commits.count + 1)
            state.commits[changeSet.id] = commit
            return Receipt(changeSet: changeSet.id, commit: commit, isRepeat: false)
        }
    }

    func write(_ request: WriteRequest) async throws(StoreError) -> Receipt? { throw .unavailable("not asked so") }
    func replaceContents(
        withStoreAt path: String, keepingReplacedAt kept: String, holder: UUID
    ) async throws(StoreError) -> Int64 {
        Int64(path.utf8.count)
    }
    func acquireWriteLease(for holder: UUID) async throws(StoreError) {
        await withCheckedContinuation { (turn: CheckedContinuation<Void, Never>) in
            let continues = state.withLock { state in
                if state.delaysHolds { state.delayed.append(turn) }
                return !state.delaysHolds
            }
            if continues { turn.resume() }
        }
        state.withLock { $0.holders.append(holder) }
    }
    func releaseWriteLease(for holder: UUID) async throws(StoreError) { end(holder) }
    func abandonWriteLease(for holder: UUID) async {
        end(holder)
        state.withLock { $0.abandonments += 1 }
    }
    func status() async -> StoreStatus { StoreStatus(pid: 1, commits: commits, batches: 0, waiting: 0, lastCommit: 0) }
    var fileChecks: Int { state.withLock { $0.fileChecks } }
    var stopped: [UUID] { state.withLock { $0.stopped } }
    func stopLongChange(_ changeSet: UUID) async { state.withLock { $0.stopped.append(changeSet) } }
    func checkFile() async { state.withLock { $0.fileChecks += 1 } }
    func close() async {}
}

/// A model that only provides the type of its key path: values are set by name.
struct Sample: Model {
    var id = RecordID<Sample>()
    var text = ""
    static let schema = ModelSchema(Sample.self, [.init(\.text, "text")])
    init(from reader: inout FieldReader) throws {}
    func bind(to writer: inout FieldWriter) {}
}

extension PropertySchema {
    static func made(_ name: String, _ type: PropertyType, optional: Bool = false) -> PropertySchema {
        let keyPath: any KeyPath<Sample, String> & Sendable = \Sample.text
        return PropertySchema(
            name: name, type: type, isOptional: optional, attributes: [], keyPath: keyPath, relationship: nil,
            makeDefault: nil
        )
    }
}

extension Schema {
    static func animals(_ properties: PropertySchema...) throws -> Schema {
        try Schema([ModelSchema(name: "Animal", properties: properties)])
    }
}
