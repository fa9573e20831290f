import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Pipelined requests")
struct PipeliningTests {
    @Test("Answers match their requests in any order")
    func outOfOrder() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            try await socket.serving(store) { _ in
                let client = socket.client()
                try await withThrowingTaskGroup { group in
                    for _ in 0..<200 {
                        group.addTask {
                            let changeSet = ChangeSet.sample()
                            let receipt = try await client.submit(changeSet)
                            #expect(receipt.changeSet == changeSet.id)
                        }
                    }
                    // All requests arrive before the first is answered: none waits for another.
                    try await eventually("all have arrived") { store.received == 200 }
                    store.answerBackwards()
                    try await group.waitForAll()
                }
                client.close()
            }
            #expect(store.commits == 200)
        }
    }

    @Test("A slow request does not delay other requests of the same client")
    func slowOne() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            try await socket.serving(store) { _ in
                let client = socket.client()
                async let slow = client.submit(.sample())
                try await eventually("it has arrived") { store.received == 1 }
                for _ in 0..<10 { _ = try await client.status() }
                store.answerBackwards()
                #expect(try await slow.commit == 1)
            }
        }
    }

    @Test("Requests of any size arrive complete")
    func sizes() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore()
            try await socket.serving(store) { _ in
                let client = socket.client()
                for size in [0, 1000, ReceivedRequest.largestInPlace, 3_000_000] {
                    _ = try await client.submit(.sample(text: String(repeating: "x", count: size)))
                }
            }
            #expect(store.commits == 4)
        }
    }

    @Test("A stopping server answers pending requests and then closes the connections")
    func drain() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            try await socket.serving(store) { server in
                try await RawClient.use(socket.path) { client in
                    try await client.greet()
                    #expect(try await client.next()?.kind == .welcome)
                    try await client.submit(.sample(), id: 5)
                    try await eventually("it has arrived") { store.received == 1 }
                    async let stopped: Void = server.stop()
                    // The server accepts no new connections.
                    try await eventually("nobody is let in") { await StoreClient.isRefused(socket.path) }
                    store.answerBackwards()
                    #expect(try await client.next()?.id == 5)
                    #expect(try await client.next() == nil)
                    try await stopped
                }
            }
        }
    }
}

extension StoreClient {
    /// Returns whether a new connection is rejected.
    fileprivate static func isRefused(_ path: String) async -> Bool {
        do {
            _ = try await StoreClient(path: path, patience: .milliseconds(50)).status()
            return false
        } catch {
            return true
        }
    }
}
