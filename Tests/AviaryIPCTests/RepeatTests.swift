import AviaryDomain
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Repeated requests")
struct RepeatTests {
    /// Limits with which a server that ends with requests in flight ends at once.
    private var impatient: ServerLimits {
        var limits = ServerLimits.patient
        limits.drain = .milliseconds(10)
        return limits
    }

    @Test("A request is repeated after its store ended without an answer, and is applied once")
    func exactlyOnce() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            let client = socket.client()
            let changeSets = (0..<20).map { _ in ChangeSet.sample() }
            try await withThrowingTaskGroup { group in
                try await socket.serving(store, limits: impatient) { _ in
                    for changeSet in changeSets { group.addTask { try await client.submit(changeSet) } }
                    try await eventually("all have arrived") { store.received == changeSets.count }
                    store.applySilently()
                }
                try await socket.serving(store) { _ in
                    try await eventually("all have arrived again") { store.received == 2 * changeSets.count }
                    store.answerBackwards()
                    for try await receipt in group { #expect(receipt.isRepeat) }
                }
            }
            #expect(store.commits == changeSets.count)
        }
    }

    @Test("A request that ends every store is repeated twice, and then its outcome is unknown")
    func deadly() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            let client = socket.client()
            let outcome = Task { await Result { try await client.submit(.sample()) } }
            for life in 1...3 {
                try await socket.serving(store, limits: impatient) { _ in
                    try await eventually("it has arrived") { store.received == life }
                }
            }
            // A fourth store would receive the request if it were sent until its deadline.
            try await socket.serving(store, limits: impatient) { _ in
                guard case .failure(let error as StoreError) = await outcome.value else { throw UnexpectedResult() }
                #expect(error == .unanswered)
            }
            #expect(store.received == 3)
        }
    }

    @Test("A request that was never sent is unavailable, and a request without an answer is unanswered")
    func outcome() async throws {
        try await TestSocket.use { socket in
            let client = socket.client(patience: .milliseconds(300))
            await #expect(throws: StoreError.unavailable("it cannot be reached.")) {
                try await client.submit(.sample())
            }
            // A stopped process has a socket that accepts connections. Only a greeting was sent.
            let descriptor = try socket.listen()
            await #expect(throws: StoreError.unavailable("it cannot be reached.")) {
                try await client.submit(.sample())
            }
            close(descriptor)

            let store = FakeStore(answersAtOnce: false)
            try await socket.serving(store, limits: impatient) { _ in
                var patience: Duration = .milliseconds(300), outcome: StoreError?
                repeat {
                    // On a busy machine the request may not even have been sent, or the server may read it after its
                    // deadline. It gets twice the time then.
                    let other = socket.client(patience: patience)
                    outcome = await #expect(throws: StoreError.self) { try await other.submit(.sample()) }
                    patience *= 2
                } while (outcome != .unanswered || store.received == 0) && patience < Patience.bound
                #expect(outcome == .unanswered)
                try await eventually("it has arrived") { store.received >= 1 }
            }
        }
    }

    @Test(
        "The outcome stays unknown if a repeat is rejected before the store looked for its receipt",
        arguments: [
            (StoreError.busy(retryAfter: 1), StoreError.unanswered), (.outOfSpace, .unanswered),
            (.expired, .unanswered),
            (.alreadySaved(commit: 7), .alreadySaved(commit: 7)),
        ])
    func refusedRepeat(error: StoreError, expected: StoreError) async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false), client = socket.client()
            let outcome = Task { await Result { try await client.submit(.sample()) } }
            try await socket.serving(store, limits: impatient) { _ in
                try await eventually("it has arrived") { store.received == 1 }
            }
            store.applySilently()
            try await socket.serving(store, limits: impatient) { _ in
                try await eventually("it has arrived again") { store.received == 2 }
                store.refuseAll(with: error)
                guard case .failure(let found as StoreError) = await outcome.value else { throw UnexpectedResult() }
                #expect(found == expected)
            }
        }
    }

    @Test(
        "A rejected first attempt returns the error of the store",
        arguments: [StoreError.busy(retryAfter: 3), .outOfSpace, .expired])
    func refused(error: StoreError) async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false), client = socket.client()
            try await socket.serving(store) { _ in
                async let outcome = Result { try await client.submit(.sample()) }
                try await eventually("it has arrived") { store.received == 1 }
                store.refuseAll(with: error)
                guard case .failure(let found as StoreError) = await outcome else { throw UnexpectedResult() }
                #expect(found == error)
            }
        }
    }

    @Test("A request that arrives after its deadline does not reach the store")
    func expired() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore()
            try await socket.serving(store) { _ in
                try await RawClient.use(socket.path) { client in
                    try await client.greet()
                    #expect(try await client.next()?.kind == .welcome)
                    try await client.submit(.sample(), id: 1, within: .zero)
                    let answer = try #require(await client.next())
                    guard case .refused(.expired) = try StoreResponse(answer.body) else { throw UnexpectedResult() }
                }
            }
            #expect(store.received == 0)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
