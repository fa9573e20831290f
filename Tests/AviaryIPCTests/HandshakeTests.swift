import AviaryDomain
import Foundation
import Logging
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Handshake")
struct HandshakeTests {
    private let store = FakeStore()
    private let current = Result { try Schema.animals(.made("legs", .integer, optional: true), .made("name", .string)) }

    private func refusal(of schema: Schema, logger: Logger = .silent, at path: String) async -> String? {
        do throws(StoreError) {
            _ = try await StoreClient(
                path: path, as: .worker, schema: schema, patience: Patience.bound, logger: logger
            ).submit(.sample())
            return nil
        } catch {
            guard case .unavailable(let reason) = error.reason else { return "\(error)" }
            return reason
        }
    }

    @Test("A client with the same schema, an older schema or no schema is accepted")
    func welcome() async throws {
        try await TestSocket.use { socket in
            try await socket.serving(store, schema: current.get()) { _ in
                for schema in [try current.get(), try .animals(.made("name", .string))] {
                    #expect(await refusal(of: schema, at: socket.path) == nil)
                }
                _ = try await socket.client().submit(.sample())
            }
            #expect(store.received == 3)
        }
    }

    @Test("A client waits for a store that does not answer yet, until it is accepted")
    func waitsForStore() async throws {
        try await TestSocket.use { socket in
            let events = Mutex<[String]>([])
            let client = socket.client(as: .worker)
            let waiting = Task {
                await client.waitUntilReady()
                events.withLock { $0.append("ready") }
            }
            await Task.yield()
            events.withLock { $0.append("serving") }
            try await socket.serving(store) { _ in await waiting.value }
            client.close()
            #expect(events.withLock { $0 } == ["serving", "ready"])
        }
    }

    @Test("A client that waits for a store and is rejected waits no longer")
    func waitsForRejection() async throws {
        try await TestSocket.use { socket in
            try await socket.serving(store, schema: current.get()) { _ in
                let different = try Schema.animals(.made("name", .integer))
                let client = socket.client(as: .worker, schema: different)
                await client.waitUntilReady()
                client.close()
                #expect(await refusal(of: different, at: socket.path) != nil)
            }
        }
    }

    @Test("A client with a newer or different schema is rejected with the difference")
    func refused() async throws {
        try await TestSocket.use { socket in
            try await socket.serving(store, schema: current.get()) { _ in
                for (schema, name) in [
                    (
                        try Schema.animals(
                            .made("legs", .integer, optional: true), .made("name", .string), .made("tame", .boolean)),
                        "Animal.tame"
                    ),
                    (try .animals(.made("name", .integer)), "Animal.name"),
                    (try .animals(.made("name", .string, optional: true)), "Animal.name"),
                    (try Schema([ModelSchema(name: "Unicorn", properties: [.made("name", .string)])]), "Unicorn"),
                ] {
                    let reason = try #require(await refusal(of: schema, at: socket.path))
                    #expect(reason.contains(name) && reason.contains("Let both run the same program"), "\(reason)")
                }
            }
            #expect(store.received == 0)
        }
    }

    @Test("A rejected client logs the reason once, retries after a pause and is accepted by a changed store")
    func pause() async throws {
        try await TestSocket.use { socket in
            let lines = LogLines(), greetings = LogLines()
            var limits = ClientLimits.patient
            limits.refusalPause = .milliseconds(300)
            let client = socket.client(
                as: .worker, schema: try .animals(.made("size", .double)), limits: limits,
                logger: .recording(into: lines)
            )
            try await socket.serving(store, schema: current.get(), logger: .recording(into: greetings)) { _ in
                let start = ContinuousClock.now
                for _ in 0..<200 { await #expect(throws: StoreError.self) { try await client.submit(.sample()) } }
                let pauses = (ContinuousClock.now - start) / .milliseconds(300)
                #expect(greetings.all.count <= 2 + Int(pauses), "\(greetings.all.count) in \(pauses) pauses")
            }
            #expect(lines.all.count == 1)
            #expect(lines.all.first?.contains("Animal.size") == true)
            try await socket.serving(store, schema: .animals(.made("size", .double))) { _ in
                // The client is refused until the pause is over.
                try await eventually("the client is let in") { (try? await client.submit(.sample())) != nil }
            }
        }
    }

    @Test("A frame of another version is rejected with both versions")
    func otherVersion() async throws {
        let versions = ProtocolVersions.own
        try await TestSocket.use { socket in
            try await socket.serving(store) { _ in
                for bytes in [[9], [9, 2, 3], [1] + Array(repeating: 0, count: 40)] as [[UInt8]] {
                    try await RawClient.use(socket.path) { client in
                        try await client.send([0, 0, 0, UInt8(bytes.count)] + bytes)
                        let reason = try #require(await client.rejection())
                        #expect(
                            reason.contains("speaks versions \(versions.lowest) to \(versions.highest) ")
                                && reason.contains("version \(bytes[0])"))
                        #expect(try await client.next() == nil)
                    }
                }
            }
            #expect(store.received == 0)
        }
    }

    @Test("A client of a store of another version fails at once and names that version")
    func otherStore() async throws {
        try await TestSocket.use { socket in
            try await ForeignStore.use(at: socket, answering: [0, 0, 0, 3, 9, 1, 1]) {
                let error = await #expect(throws: StoreError.self) {
                    try await socket.client().submit(.sample())
                }
                guard case .unavailable(let reason) = error?.reason else { throw UnexpectedResult() }
                // The reason must not be that the store cannot be reached, as when the patience is over.
                #expect(reason.contains("speaks version 9"))
            }
        }
    }

    @Test(
        "A write to a store that answers with garbage fails by its deadline",
        arguments: [
            [0, 0, 0, 1, 2], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 5, 2, 77, 0, 0, 0], [],
        ] as [[UInt8]])
    func garbageStore(bytes: [UInt8]) async throws {
        try await TestSocket.use { socket in
            try await ForeignStore.use(at: socket, answering: bytes) {
                let client = socket.client(patience: .milliseconds(200))
                await #expect(throws: StoreError.unavailable("it cannot be reached.")) {
                    try await client.submit(.sample())
                }
            }
        }
    }

    @Test("A client that does not complete a frame in time is disconnected, and others are served")
    func slowClients() async throws {
        var greeting = ServerLimits.patient, transfer = ServerLimits.patient
        greeting.handshake = .milliseconds(200)
        transfer.transfer = .milliseconds(200)
        try await expectSentAway(
            greeting, mayBeLate: true,
            [([], false, "did not say in time"), ([0, 0, 0, 20], false, "did not say in time")])
        try await expectSentAway(transfer, mayBeLate: true, [([0, 0, 0, 20, 2, 4, 0], true, nil)])
    }

    @Test("A client that sends an oversized or unexpected frame is disconnected, and others are served")
    func badClients() async throws {
        var limits = ServerLimits.patient
        limits.largestFormFrame = 2000
        try await expectSentAway(
            limits,
            [
                (Array("GET / HTTP/1.1\r\n\r\n".utf8), false, "larger than the \(limits.largestHello)"),
                ([0, 0, 0, 3, 2, 1, 0], false, "no frame"),
                ([0, 0, 0, 18, 2, 4] + Array(repeating: 0, count: 16), false, "did not say who it is"),
                ([0, 0, 7, 209, 2], true, "a frame of 2001 bytes is larger than the 2000"),
                ([0, 0, 0, 18, 2, 1] + Array(repeating: 0, count: 16), true, "something else than a request"),
            ])
    }

    /// Checks that the server rejects the input and continues to serve other clients.
    ///
    /// - Parameters:
    ///   - mayBeLate: Indicates whether the client's time may be over before it begins to send, as on a busy
    ///     machine.
    ///   - cases: The bytes to send, whether a greeting precedes them, and the text that the answer contains.
    private func expectSentAway(
        _ limits: ServerLimits, mayBeLate: Bool = false, _ cases: [(bytes: [UInt8], greets: Bool, says: String?)]
    ) async throws {
        try await TestSocket.use { socket in
            try await socket.serving(store, limits: limits) { _ in
                let good = socket.client()
                let before = store.received
                for (bytes, greets, says) in cases {
                    try await RawClient.use(socket.path) { client in
                        if greets {
                            try await client.greet()
                            #expect(try await client.next()?.kind == .welcome)
                        }
                        do {
                            if !bytes.isEmpty { try await client.send(bytes) }
                        } catch {
                            guard mayBeLate else { throw error }
                        }
                        let reason = try await client.rejection()
                        if let says { #expect(reason?.contains(says) == true, "\(reason ?? "nothing") for \(says)") }
                        #expect(try await client.next() == nil)
                    }
                    _ = try await good.submit(.sample())
                }
                #expect(store.received - before == cases.count)
            }
        }
    }

    @Test("A conflict contains the properties of the client's schema in the order of that schema")
    func clientView() throws {
        let record = Record(id: .version7(), version: 7, values: [.integer(4), .text("Okapi")])
        func seen(_ lines: [String]) throws -> [FieldValue]? {
            let identity = ClientIdentity(kind: .worker, pid: 1, schema: lines)
            guard case .welcome(let view) = WriteAdmission(schema: try current.get()).decide(identity) else {
                return nil
            }
            let error = StoreError.conflict(model: "Animal", current: record)
            let shown = (view?.error(error) ?? error).currentRecord
            return shown?.version == 7 ? shown?.values : nil
        }
        #expect(try seen(["Animal.legs integer?", "Animal.name string"]) == record.values)
        #expect(try seen(["Animal.name string", "Animal.legs integer?"]) == [.text("Okapi"), .integer(4)])
        #expect(try seen(["Animal.name string"]) == [.text("Okapi")])
        #expect(try seen([]) == record.values)
    }
}

/// A server that accepts connections and answers all of them with the same bytes.
enum ForeignStore {
    static func use(at socket: TestSocket, answering bytes: [UInt8], _ body: () async throws -> Void) async throws {
        let descriptor = try socket.listen()
        let thread = Thread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                var received = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &received, received.count, 0)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }
        thread.start()
        do {
            try await body()
        } catch {
            shutdown(descriptor, Int32(SHUT_RDWR))
            throw error
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
