import AviaryDomain
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Limits of clients and requests")
struct BoundTests {
    @Test("A client with a full window fails at once as busy, and its pending requests are answered")
    func window() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            var limits = ClientLimits.patient
            limits.requests = 4
            let client = socket.client(limits: limits)
            try await socket.serving(store) { _ in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<4 { group.addTask { try await client.submit(.sample()) } }
                    try await eventually("four have arrived") { store.received == 4 }
                    for _ in 0..<10 {
                        await #expect(throws: StoreError.busy(retryAfter: 1)) { try await client.submit(.sample()) }
                    }
                    store.answerBackwards()
                    try await group.waitForAll()
                }
                // There is room again.
                async let last = client.submit(.sample())
                try await eventually("the fifth has arrived") { store.received == 5 }
                store.answerBackwards()
                _ = try await last
            }
        }
    }

    @Test("The window is limited in bytes but always accepts a single request")
    func windowBytes() {
        let window = InFlightLimit(requests: 10, bytes: 1000)
        #expect(window.enter(bytes: 5000))
        #expect(!window.enter(bytes: 1))
        window.leave(bytes: 5000)
        #expect(window.enter(bytes: 600) && window.enter(bytes: 400))
        #expect(!window.enter(bytes: 1))
        #expect(window.requests == 2)
    }

    @Test("The client rejects a request above the size limit before sending")
    func tooLarge() async throws {
        var limits = ClientLimits.patient
        limits.largestFormFrame = 1000
        let worker = StoreClient(path: "/nowhere", as: .worker, limits: limits)
        let large = ChangeSet.sample(text: String(repeating: "x", count: 1000))
        let error = await #expect(throws: StoreError.self) { try await worker.submit(large) }
        #expect(error?.code == .malformed)
    }

    @Test("A request above the limit of all clients together is rejected as busy")
    func budget() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            var limits = ServerLimits.patient
            limits.allRequestsInFlight = 2
            limits.drain = .milliseconds(10)
            try await socket.serving(store, limits: limits) { _ in
                let (first, second) = (socket.client(), socket.client())
                async let one = first.submit(.sample())
                async let two = second.submit(.sample())
                try await eventually("two have arrived") { store.received == 2 }
                await #expect(throws: StoreError.busy(retryAfter: 1)) { try await second.submit(.sample()) }
                #expect(store.received == 2)
                store.answerBackwards()
                _ = try await (one, two)
            }
        }
    }

    @Test("The server stops reading from a client with too many pending requests and serves the others")
    func backPressure() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            var limits = ServerLimits.patient
            limits.requestsInFlight = 1
            limits.drain = .milliseconds(10)
            try await socket.serving(store, limits: limits) { _ in
                try await RawClient.use(socket.path) { client in
                    try await client.greet()
                    #expect(try await client.next()?.kind == .welcome)
                    try await client.submit(.sample(), id: 1)
                    try await eventually("the first has arrived") { store.received == 1 }
                    try await client.submit(.sample(), id: 2)
                    // Other clients are served meanwhile, several times. If the second request were read, it would
                    // have arrived.
                    for count in 1...5 {
                        _ = try await socket.client().status()
                        #expect(store.received == 1, "after \(count)")
                    }
                    store.answerBackwards()
                    #expect(try await client.next()?.id == 1)
                    try await eventually("two have arrived") { store.received == 2 }
                    store.answerBackwards()
                    #expect(try await client.next()?.id == 2)
                }
            }
        }
    }

    @Test("A client that does not read its answers is disconnected, and others are served")
    func slowReader() async throws {
        try await TestSocket.use { socket in
            let store = FakeStore(answersAtOnce: false)
            var limits = ServerLimits.patient
            limits.transfer = .milliseconds(300)
            try await socket.serving(store, limits: limits) { _ in
                let descriptor = try socket.connectBlocking()
                defer { close(descriptor) }
                var bytes = ByteBuffer()
                bytes.writeFrame(.hello) { ClientIdentity(kind: .worker, pid: 1, schema: []).write(to: &$0) }
                for id in 1...50 {
                    bytes.writeFrame(.request, id: UInt64(id), deadline: .now.advanced(by: Patience.bound)) {
                        StoreRequest.write(.submit(.sample())).write(to: &$0)
                    }
                }
                bytes.withUnsafeReadableBytes { _ = send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                try await eventually("all have arrived") { store.received == 50 }
                // Each answer is as large as a record can be.
                let record = Record(
                    id: .version7(), version: 1, values: [.text(String(repeating: "x", count: 200_000))])
                store.refuseAll(with: .conflict(model: "Animal", current: record))
                let good = socket.client()
                try await eventually("the slow reader is cut off") {
                    _ = try await good.status()
                    var state = pollfd(fd: descriptor, events: 0, revents: 0)
                    return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP) != 0
                }
            }
        }
    }

    @Test("A connection above the limit is closed, and a closed connection makes room")
    func connections() async throws {
        try await TestSocket.use { socket in
            var limits = ServerLimits.patient
            limits.connections = 1
            try await socket.serving(FakeStore(), limits: limits) { _ in
                let first = socket.client(),
                    second = socket.client(patience: .milliseconds(200))
                _ = try await first.status()
                await #expect(throws: StoreError.unavailable("it cannot be reached.")) { try await second.status() }
                first.close()
                try await eventually("there is room") { (try? await second.status()) != nil }
            }
        }
    }
}

extension TestSocket {
    /// Connects a socket that nothing reads from.
    func connectBlocking() throws -> CInt {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw UnexpectedResult() }
        return descriptor
    }
}
