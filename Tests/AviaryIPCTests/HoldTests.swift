import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Holds of writes over the socket")
struct HoldTests {
    private let store = FakeStore()

    @Test("A hold ends with the connection of its holder")
    func connectionEnds() async throws {
        try await TestSocket.use { socket in
            try await socket.serving(store) { _ in
                let holder = UUID(), other = UUID()
                let stays = socket.client()
                try await stays.acquireWriteLease(for: other)
                let client = socket.client()
                try await client.acquireWriteLease(for: holder)
                #expect(store.holders == [other, holder])
                client.close()
                try await eventually("the hold ends") { store.holders == [other] }
                try await stays.releaseWriteLease(for: other)
                #expect(store.holders == [])
            }
        }
    }

    @Test("A hold ends at once if its connection ended before the store granted the hold")
    func connectionEndedBefore() async throws {
        try await TestSocket.use { socket in
            try await socket.serving(store) { _ in
                store.delayHolds()
                try await RawClient.use(socket.path) { client in
                    try await client.greet(as: .command)
                    #expect(try await client.next()?.kind == .welcome)
                    try await client.send(.request, id: 1, deadline: .now.advanced(by: Patience.bound)) {
                        StoreRequest.acquireWriteLease(holder: UUID()).write(to: &$0)
                    }
                    try await eventually("the request has arrived") { store.delayedHolds == 1 }
                }
                try await eventually("the store knows that the connection has ended") { store.abandonments == 1 }
                store.goOnWithHolds()
                try await eventually("what it held meanwhile has ended") { store.abandonments == 2 }
                #expect(store.holders == [])
            }
        }
    }

    @Test("An application may not hold writes or replace the store, but workers and commands may hold writes")
    func ownProgram() async throws {
        try await TestSocket.use { socket in
            try await socket.serving(store) { _ in
                let app = socket.client(as: .app), holder = UUID()
                let refusal = StoreError.malformed("only a restore may hold writes and replace what is stored.")
                await #expect(throws: refusal) { try await app.acquireWriteLease(for: holder) }
                await #expect(throws: refusal) { try await app.releaseWriteLease(for: holder) }
                await #expect(throws: refusal) {
                    _ = try await app.replaceContents(withStoreAt: "/", keepingReplacedAt: "/", holder: holder)
                }
                #expect(store.holders == [])
                for kind in [ClientIdentity.Kind.worker, .command] {
                    let client = socket.client(as: kind)
                    try await client.acquireWriteLease(for: holder)
                    #expect(store.holders == [holder])
                    try await client.releaseWriteLease(for: holder)
                    #expect(store.holders == [])
                }
            }
        }
    }
}
