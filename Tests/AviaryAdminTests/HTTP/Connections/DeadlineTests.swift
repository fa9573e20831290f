import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Connection deadlines")
struct DeadlineTests {
    // MARK: Heads

    @Test("Header fields that arrive too slowly answer 408 and reach no route")
    func drippingHead() async throws {
        let asked = Mutex(0)
        try await SmallServer.use(
            .with {
                $0.head = .seconds(1); $0.lingeringSilence = .milliseconds(100)
            }
        ) { _ in
            asked.withLock { $0 += 1 }
            return .text("here\n")
        } _: { server in
            let client = try server.client(sending: "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX: ")
            async let received = client.receive()
            #expect(await client.dripUntilRefused("a"))
            #expect(await received.statuses == [408])
            #expect(await received.end == .closed)
            #expect(asked.withLock { $0 } == 0)
        }
    }

    @Test("A connection that sends nothing is closed without an answer")
    func silent() async throws {
        try await SmallServer.use(.with { $0.head = .milliseconds(300) }) { server in
            let received = await (try server.client()).receive()
            #expect(received.bytes.isEmpty)
            #expect(received.end == .closed)
        }
    }

    @Test("An idle connection is closed without an answer, a fixed time after the last answer")
    func idle() async throws {
        let idle = Duration.seconds(2)
        try await SmallServer.use(.with { $0.idle = TimeAmount(idle) }) { server in
            var isUsed = false
            // The machine may be so slow that the time is over before the second request. The test tries again
            // then.
            for _ in 0..<20 where !isUsed {
                let start = ContinuousClock.now
                let client = try await server.idleClient()
                try await Task.sleep(for: idle / 2)
                let second = ContinuousClock.now
                await client.get()
                let answer = await client.receiveAnswer()
                guard answer.status == 200 else {
                    #expect(answer.bytes.isEmpty && ContinuousClock.now - start >= idle)
                    continue
                }
                isUsed = true
                let rest = await client.receive()
                #expect(rest.bytes.isEmpty)
                #expect(rest.end == .closed)
                #expect(ContinuousClock.now - second >= idle)
            }
            #expect(isUsed)
        }
    }

    @Test("An idle connection has the idle time limit, not that of header fields")
    func idleIsNoHead() async throws {
        try await SmallServer.use(
            .with {
                $0.head = .seconds(1); $0.idle = .seconds(600)
            }
        ) { server in
            let client = try await server.idleClient()
            // This connection was opened later and has the time limit of header fields, so it ends first.
            let silent = try server.client()
            #expect(await silent.receive().end == .closed)
            await client.get()
            #expect(await client.receiveAnswer().status == 200)
        }
    }

    // MARK: Bodies

    @Test("A body that arrives too slowly answers 408, and its reader gets an error")
    func drippingBody() async throws {
        let failed = Event()
        try await SmallServer.use(
            .with {
                $0.transfer = .milliseconds(300); $0.leastRate = 1000; $0.lingeringSilence = .milliseconds(100)
            }
        ) { request in
            do {
                _ = try await request.body.collect(upTo: 1 << 20)
            } catch {
                failed.happen()
                throw error
            }
            return .text("read\n")
        } _: { server in
            let head = "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 1000000\r\n\r\n"
            let client = try server.client(sending: head)
            async let received = client.receive()
            #expect(await client.dripUntilRefused("a"))
            #expect(await received.statuses == [408])
            #expect(await received.end == .closed)
            #expect(await failed.happens())
        }
    }

    @Test("A body that stops on a kept connection has its own time limit, not that of an idle connection")
    func stoppedBodyOfKeptConnection() async throws {
        try await SmallServer.use(
            .with {
                $0.idle = .seconds(600); $0.transfer = .milliseconds(300)
            }
        ) { server in
            let client = try await server.idleClient()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 10\r\n\r\n")
            #expect(await client.receive().statuses == [408])
        }
    }

    @Test("Bytes that arrived quickly do not extend a later pause of the sender")
    func stoppedBody() async throws {
        try await SmallServer.use(
            .with {
                $0.transfer = .milliseconds(300); $0.leastRate = 1
            }
        ) { request in
            .text("\(try await request.body.collect(upTo: 1 << 20).readableBytes)\n")
        } _: { server in
            let client = try server.client()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 100001\r\n\r\n")
            await client.send(String(repeating: "a", count: 100_000))
            let received = await client.receive()
            #expect(received.statuses == [408])
            #expect(received.end == .closed)
        }
    }

    @Test(
        "A body that arrives slowly but steadily is read to its end",
        .enabled(
            if: Explore.isOn, "The sender's pace counts, which a busy machine slows down; see MinimumTransferRateTests."
        ))
    func slowBody() async throws {
        try await SmallServer.use(
            .with {
                $0.transfer = .seconds(1); $0.leastRate = 100
            }
        ) { request in
            .text("\(try await request.body.collect(upTo: 1 << 20).readableBytes)\n")
        } _: { server in
            let client = try server.client()
            await client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 4000\r\n\r\n")
            #expect(
                await client.drip(String(repeating: "a", count: 100), every: .milliseconds(50), atMost: 40) == 40)
            #expect(await client.receiveAnswer().text.hasSuffix("4000\n"))
        }
    }

    @Test(
        "Time that a route spends on a body does not count against its sender",
        .enabled(
            if: Explore.isOn, "The sender's pace counts, which a busy machine slows down; see MinimumTransferRateTests."
        ))
    func slowRoute() async throws {
        try await SmallServer.use(
            .with {
                $0.transfer = .milliseconds(300); $0.leastRate = 1 << 20
            }
        ) { request in
            var length = 0
            for try await part in request.body {
                length += part.readableBytes
                // Several parts are read ahead. Then nothing is read for longer than the sender's time limit.
                if length < 1 << 20 { try await Task.sleep(for: .milliseconds(100)) }
            }
            return .text("\(length)\n")
        } _: { server in
            let client = try server.client()
            let head = "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: \(1 << 21)\r\n\r\n"
            // Everything is sent at once, because pauses would count as the sender's own time.
            await client.send(Array(head.utf8) + [UInt8](repeating: 97, count: 1 << 21))
            #expect(await client.receiveAnswer().text.hasSuffix("\(1 << 21)\n"))
        }
    }

    // MARK: Answers

    @Test(
        "A reader that stops or is too slow is disconnected, and the writer gets an error",
        arguments: [true, false])
    func stoppedReader(isDripping: Bool) async throws {
        let left = Event()
        let part = ByteBuffer(repeating: 97, count: 1 << 20)
        try await SmallServer.use(
            .with {
                $0.transfer = .milliseconds(500); $0.leastRate = 1 << 20
            }
        ) { _ in
            Response(
                status: .ok,
                body: .init { writer in
                    do {
                        for _ in 0..<64 { try await writer.write(part) }
                        try await writer.finish(nil)
                    } catch {
                        left.happen()
                        throw error
                    }
                })
        } _: { server in
            let client = try server.client(receiveBuffer: 4096)
            await client.get()
            async let isLeft = left.happens()
            var taken = 0
            // The client reads for longer than the server may wait, and far below the lowest rate.
            for _ in 0..<(isDripping ? 100 : 0) {
                taken += await client.receive(atMost: 1024)
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(await isLeft)
            // The bytes that the system had accepted from the server still arrive. Then the connection ends.
            let rest = await client.receive()
            #expect(rest.end != .silence)
            #expect(taken + rest.bytes.count < 64 << 20)
        }
    }

    @Test("A reader of an answer with a fixed length is disconnected as well")
    func stoppedReaderOfWhole() async throws {
        try await SmallServer.use(
            .with {
                $0.transfer = .milliseconds(200); $0.leastRate = 1 << 20; $0.connections = 1
            }
        ) { request in
            request.uri.path == "/"
                ? .text("here\n")
                : Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 97, count: 64 << 20)))
        } _: { server in
            let client = try server.client(receiveBuffer: 4096)
            await client.get("/large")
            // There is one place, and it becomes free.
            let next = try server.client()
            await next.get()
            #expect(await next.receiveAnswer().status == 200)
            withExtendedLifetime(client) {}
        }
    }

    @Test(
        "A slow but steady reader gets the whole answer",
        .enabled(
            if: Explore.isOn, "The reader's pace counts, which a busy machine slows down; see MinimumTransferRateTests."
        ))
    func slowReader() async throws {
        try await SmallServer.use(
            .with {
                $0.transfer = .seconds(2); $0.leastRate = 100_000
            }
        ) { _ in
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 97, count: 16 << 20)))
        } _: { server in
            let client = try server.client(receiveBuffer: 64 << 10)
            await client.get("/", "Connection: close")
            #expect(await client.receive(inPartsOf: 128 << 10, every: .milliseconds(10)) > 16 << 20)
        }
    }
}
