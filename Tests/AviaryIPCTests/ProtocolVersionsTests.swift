import AviaryDomain
import NIOCore
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Protocol versions")
struct ProtocolVersionsTests {
    private let store = FakeStore()

    @Test(
        "Client and store agree on the highest common version",
        arguments: [
            (2...2, 2...2, 2), (2...3, 2...4, 3), (2...4, 2...3, 3), (3...4, 2...3, 3), (2...9, 5...5, 5),
        ] as [(ClosedRange<UInt8>, ClosedRange<UInt8>, UInt8)])
    func agreed(ofStore: ClosedRange<UInt8>, ofClient: ClosedRange<UInt8>, version: UInt8) async throws {
        let (server, client) = (ProtocolVersions(ofStore), ProtocolVersions(ofClient))
        try await TestSocket.use { socket in
            try await socket.serving(store, versions: server) { _ in
                _ = try await socket.client(versions: client).submit(.sample())
                try await RawClient.use(socket.path) { raw in
                    try await raw.greet(id: client.greeting)
                    let welcome = try #require(try await raw.next())
                    #expect(welcome.kind == .welcome && welcome.id == UInt64(version))
                }
            }
            #expect(store.received == 1)
        }
    }

    @Test(
        "A client without a common version is rejected with the older side and advice",
        arguments: [
            (
                2...2, 3...4,
                "speaks version 2 of the protocol and this process versions 3 to 4. The store is older. Restart"
            ),
            (
                3...4, 2...2,
                "speaks versions 3 to 4 of the protocol and this process version 2. This process is older. Start"
            ),
        ] as [(ClosedRange<UInt8>, ClosedRange<UInt8>, String)])
    func disjoint(ofStore: ClosedRange<UInt8>, ofClient: ClosedRange<UInt8>, reason: String) async throws {
        try await TestSocket.use { socket in
            let lines = LogLines()
            try await socket.serving(
                store, versions: ProtocolVersions(ofStore), logger: .recording(into: lines)
            ) { _ in
                let client = socket.client(versions: ProtocolVersions(ofClient))
                do {
                    _ = try await client.submit(.sample())
                    Issue.record("the client was welcome")
                } catch {
                    guard case .unavailable(let text)? = (error as? StoreError)?.reason else { throw error }
                    #expect(text.contains(reason), "\(text)")
                }
            }
            #expect(lines.all.contains { $0.contains(reason) })
            #expect(store.received == 0)
        }
    }

    @Test("A client without a version range speaks version 2 and is rejected by a store of later versions")
    func clientWithoutRange() async throws {
        try await TestSocket.use { socket in
            for (versions, isWelcome) in [(2...3, true), (3...3, false)] as [(ClosedRange<UInt8>, Bool)] {
                try await socket.serving(store, versions: ProtocolVersions(versions)) { _ in
                    try await RawClient.use(socket.path) { client in
                        try await client.greet()
                        let frame = try #require(try await client.next())
                        #expect(frame.kind == (isWelcome ? .welcome : .rejection))
                        if isWelcome { #expect(frame.id == 2) }
                    }
                }
            }
        }
    }

    @Test("A client that needs a later version rejects a store without a version range")
    func storeWithoutRange() async throws {
        var welcome = ByteBuffer()
        welcome.writeFrame(.welcome) { _ in }
        let bytes = Array(welcome.readableBytesView)
        try await TestSocket.use { socket in
            try await ForeignStore.use(at: socket, answering: bytes) {
                do {
                    _ = try await socket.client(versions: ProtocolVersions(3...4)).submit(.sample())
                    Issue.record("the store was understood")
                } catch {
                    #expect(
                        error as? StoreError
                            == .unavailable(
                                "\(ProtocolMismatch(store: ProtocolVersions(2...2), client: ProtocolVersions(3...4)))"))
                }
            }
        }
    }

    @Test("A greeting encodes every version range, and a number that is not a range is rejected")
    func greetings() async throws {
        for range in [2...2, 1...255, 7...9] as [ClosedRange<UInt8>] {
            #expect(ProtocolVersions(greeting: ProtocolVersions(range).greeting) == ProtocolVersions(range))
        }
        #expect(ProtocolVersions(greeting: 0) == ProtocolVersions(2...2))
        let wrong: [UInt64] = [1, 0x0302, 0x1_0000, .max]
        for number in wrong { #expect(ProtocolVersions(greeting: number) == nil, "\(number)") }
        #expect(ProtocolVersions.answered(0) == 2 && ProtocolVersions.answered(3) == 3)
        #expect(ProtocolVersions.answered(256) == nil)
        try await TestSocket.use { socket in
            try await socket.serving(store) { _ in
                try await RawClient.use(socket.path) { client in
                    try await client.greet(id: 0x0302)
                    #expect(try await client.rejection()?.contains("did not say who it is") == true)
                }
            }
        }
    }
}
