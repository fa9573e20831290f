import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("File downloads")
struct FileDownloadTests {
    private let directory: TestDirectory
    private let path: String

    init() throws {
        directory = try TestDirectory()
        path = directory.path("file")
        try Data(repeating: 7, count: 1 << 20).write(to: URL(filePath: path))
    }

    @Test("A permitted download delivers the whole file")
    func whole() async throws {
        let writer = CountingWriter()
        try await FileDownload(path: path, name: "a", interval: .zero) { true }.response.body.write(writer)
        #expect(writer.bytes == 1 << 20)
    }

    @Test("A download holds its slot until the file is delivered")
    func place() async throws {
        let places = DownloadSlots(most: 1, ofAccount: 1), account = UUID()
        func send() async throws {
            let place = try #require(places.take(for: account))
            let response = try FileDownload(path: path, name: "a", place: place, interval: .zero) { true }.response
            #expect(places.take(for: account) == nil)
            try await response.body.write(CountingWriter())
        }
        try await send()
        #expect(places.take(for: account) != nil)
    }

    @Test("A reader that stops is disconnected and releases its slot")
    func stoppedReader() async throws {
        let large = directory.path("large")
        try Data().write(to: URL(filePath: large))
        let file = try FileHandle(forWritingTo: URL(filePath: large))
        try file.truncate(atOffset: 64 << 20)
        try file.close()
        let places = DownloadSlots(most: 1, ofAccount: 1), account = UUID(), began = Event()
        try await SmallServer.use(
            .with {
                $0.transfer = .milliseconds(200); $0.leastRate = 1 << 20
            }
        ) { _ in
            let place = places.take(for: account)
            #expect(place != nil)
            began.happen()
            return try FileDownload(path: large, name: "a", place: place) { true }.response
        } _: { server in
            let client = try server.client(receiveBuffer: 4096)
            await client.get()
            #expect(await began.happens())
            try await eventually("the place is free") { places.take(for: account) != nil }
            withExtendedLifetime(client) {}
        }
    }

    @Test("A download ends when its account loses the permission")
    func ended() async throws {
        let writer = CountingWriter(), asked = Mutex(0)
        let download = try FileDownload(path: path, name: "a", interval: .zero) {
            asked.withLock { count in
                count += 1
                return count < 3
            }
        }
        await #expect(throws: FileDownload.Ended.self) { try await download.response.body.write(writer) }
        #expect(writer.bytes > 0 && writer.bytes < 1 << 20)
    }
}

private final class CountingWriter: ResponseBodyWriter {
    private let count = Mutex(0)

    var bytes: Int { count.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        count.withLock { $0 += buffer.readableBytes }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

@Suite("Download slots")
struct DownloadSlotsTests {
    @Test("An account that uses all its slots does not block other accounts")
    func account() {
        let places = DownloadSlots(most: 10, ofAccount: 2), ada = UUID()
        var held = [places.take(for: ada), places.take(for: ada)]
        #expect(held.allSatisfy { $0 != nil } && places.take(for: ada) == nil)
        #expect(places.take(for: UUID()) != nil)
        held.removeLast()
        #expect(places.take(for: ada) != nil, "a place that nobody holds is free")
        withExtendedLifetime(held) {}
    }

    @Test("All accounts together have a limit")
    func all() {
        let places = DownloadSlots(most: 2, ofAccount: 2)
        let held = [places.take(for: UUID()), places.take(for: UUID())]
        #expect(held.allSatisfy { $0 != nil } && places.take(for: UUID()) == nil)
        withExtendedLifetime(held) {}
    }
}
