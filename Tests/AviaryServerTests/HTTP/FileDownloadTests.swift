import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import AviaryServer

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
