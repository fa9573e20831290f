import AviaryDomain
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Requests that wait for a large delete or undo")
struct PostponementTests {
    @Test("A postponed request waits for ten minutes, and then its outcome is unknown")
    func longWait() throws {
        let pending = PendingRequests()
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        let losses = Mutex<[Bool]>([])
        let id = try #require(
            pending.add(until: start.advanced(by: .seconds(5))) { outcome in
                guard case .lost(let wasPostponed) = outcome else { return }
                losses.withLock { $0.append(wasPostponed) }
            })
        pending.postpone(id, at: start.advanced(by: .seconds(1)))
        #expect(pending.failExpired(at: start.advanced(by: .seconds(601))))
        #expect(losses.withLock { $0.isEmpty })
        #expect(!pending.failExpired(at: start.advanced(by: .seconds(607))))
        #expect(losses.withLock { $0 } == [false])
    }

    @Test("A request that is not postponed waits until its own end")
    func shortWait() throws {
        let pending = PendingRequests()
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        let losses = Mutex(0)
        let ids = (0..<2).map { _ in
            pending.add(until: start.advanced(by: .seconds(5))) { _ in losses.withLock { $0 += 1 } }
        }
        pending.postpone(try #require(ids[0]), at: start)
        #expect(pending.failExpired(at: start.advanced(by: .seconds(6))))
        #expect(losses.withLock { $0 } == 1)
    }

    @Test("A request that was postponed when its connection ended may be sent to the next store")
    func lostConnection() throws {
        let pending = PendingRequests()
        let losses = Mutex<[Bool]>([])
        let id = try #require(
            pending.add(until: .now) { outcome in
                guard case .lost(let wasPostponed) = outcome else { return }
                losses.withLock { $0.append(wasPostponed) }
            })
        pending.postpone(id, at: .now)
        pending.close()
        #expect(losses.withLock { $0 } == [true])
    }

    @Test("A client is told that its request is postponed, unless it speaks an earlier version", arguments: [2, 3])
    func message(version: UInt8) async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            try await socket.serving(store) { _ in
                try await RawClient.use(socket.path) { client in
                    try await client.greet(id: ProtocolVersions(2...version).greeting)
                    #expect(try await client.next()?.id == UInt64(version))
                    try await client.submit(.sample(), id: 7)
                    try await eventually("it has arrived") { store.received == 1 }
                    store.postponeAll()
                    store.answerBackwards()
                    var kinds: [Frame.Kind] = []
                    while kinds.last != .answer, let frame = try await client.next() {
                        #expect(frame.id == 7)
                        kinds.append(frame.kind)
                    }
                    #expect(kinds == (version == 2 ? [.answer] : [.postponed, .answer]))
                }
            }
        }
    }

    @Test("A postponed request is answered as any other")
    func answered() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            try await socket.serving(store) { _ in
                let client = socket.client()
                async let receipt = client.submit(.sample())
                try await eventually("it has arrived") { store.received == 1 }
                store.postponeAll()
                store.answerBackwards()
                #expect(try await receipt.commit == 1)
            }
        }
    }
}
