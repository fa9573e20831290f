import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("A file goes out in parts, to whoever may have it")
struct FileDownloadTests {
    private let directory: TestDirectory
    private let path: String

    init() throws {
        directory = try TestDirectory()
        path = directory.path("file")
        try Data(repeating: 7, count: 1 << 20).write(to: URL(filePath: path))
    }

    @Test("All of it is sent to whoever may have it to the end")
    func whole() async throws {
        let writer = CountingWriter()
        try await FileDownload(path: path, name: "a", interval: .zero) { true }.response.body.write(writer)
        #expect(writer.bytes == 1 << 20)
    }

    @Test("A file that is sent holds its place, and gives it back when it is there")
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

    @Test("A reader that stops loses the file, and the place is free for another")
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

    @Test("Whoever is disabled meanwhile gets no further part")
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

@Suite("So many files are sent at a time, and each account has its share")
struct DownloadSlotsTests {
    @Test("An account that has its share waits for its own, and others do not")
    func account() {
        let places = DownloadSlots(most: 10, ofAccount: 2), ada = UUID()
        var held = [places.take(for: ada), places.take(for: ada)]
        #expect(held.allSatisfy { $0 != nil } && places.take(for: ada) == nil)
        #expect(places.take(for: UUID()) != nil)
        held.removeLast()
        #expect(places.take(for: ada) != nil, "a place that nobody holds is free")
        withExtendedLifetime(held) {}
    }

    @Test("All together have a bound, too")
    func all() {
        let places = DownloadSlots(most: 2, ofAccount: 2)
        let held = [places.take(for: UUID()), places.take(for: UUID())]
        #expect(held.allSatisfy { $0 != nil } && places.take(for: UUID()) == nil)
        withExtendedLifetime(held) {}
    }
}
