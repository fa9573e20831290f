import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// A file that is sent as it is, in parts: however large it is, little of it is in memory.
struct FileDownload: Sendable {
    private static let partSize = 1 << 17

    private let file: OpenFile
    private let name: String
    private let type: String

    struct Unreadable: Error {}
    /// Whoever asked for the file may not have it any more.
    struct Ended: Error {}

    private let isGood: @Sendable () async throws -> Bool
    private let interval: Duration
    private let place: DownloadPlaces.Place?

    /// - Parameters:
    ///   - name: Under which it is to be saved; of letters, digits, dots, dashes and underscores.
    ///   - isGood: Whether the account may still have it, asked now and then while it is sent.
    ///   - place: Held until it is sent, or is not.
    ///   - interval: How long nobody asks.
    /// - Throws: ``Unreadable``.
    init(
        path: String, name: String, type: String = "application/gzip", place: DownloadPlaces.Place? = nil,
        interval: Duration = .seconds(1),
        isGood: @escaping @Sendable () async throws -> Bool
    ) throws {
        self.isGood = isGood
        self.interval = interval
        self.place = place
        file = try OpenFile(path)
        self.name = name
        self.type = type
    }

    var response: Response {
        let (file, isGood, interval, place) = (file, isGood, interval, place)
        return Response(
            status: .ok,
            headers: [.contentType: type, .contentDisposition: "attachment; filename=\"\(name)\""],
            body: ResponseBody(contentLength: file.size) { writer in
                var sent = 0
                var looked = ContinuousClock.now
                while sent < file.size {
                    if sent > 0, looked + interval <= .now {
                        guard try await isGood() else { throw Ended() }
                        looked = .now
                    }
                    let (start, wanted) = (sent, min(Self.partSize, file.size - sent))
                    let part = try await NIOThreadPool.singleton.runIfActive { try file.read(wanted, from: start) }
                    // A file that ends early cannot be told any more: the connection ends before its length.
                    guard part.readableBytes > 0 else { throw Unreadable() }
                    sent += part.readableBytes
                    try await writer.write(part)
                }
                withExtendedLifetime(place) {}
                try await writer.finish(nil)
            }
        )
    }

    /// Open as long as it is sent, whatever becomes of its name.
    private final class OpenFile: Sendable {
        let size: Int
        private let descriptor: CInt

        init(_ path: String) throws {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw Unreadable() }
            size = Int(lseek(descriptor, 0, SEEK_END))
            guard size >= 0 else {
                Foundation.close(descriptor)
                throw Unreadable()
            }
        }

        deinit { Foundation.close(descriptor) }

        func read(_ count: Int, from start: Int) throws -> ByteBuffer {
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            let found = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                max(0, pread(descriptor, bytes.baseAddress, count, off_t(start)))
            }
            return found > 0 ? buffer : ByteBuffer()
        }
    }
}

/// How many files this process is sending: each holds its place on the disk for as long as its reader takes.
final class DownloadPlaces: Sendable {
    private struct State {
        var all = 0
        var accounts: [UUID: Int] = [:]
    }

    private let most: Int
    private let mostOfAccount: Int
    private let state = Mutex(State())

    init(most: Int = 16, ofAccount mostOfAccount: Int = 4) {
        self.most = most
        self.mostOfAccount = mostOfAccount
    }

    /// - Returns: A place that is given back when nobody holds it any more; nil where all are taken.
    func take(for account: UUID) -> Place? {
        let isTaken = state.withLock { state in
            guard state.all < most, state.accounts[account, default: 0] < mostOfAccount else { return false }
            state.all += 1
            state.accounts[account, default: 0] += 1
            return true
        }
        return isTaken ? Place(self, account) : nil
    }

    fileprivate func giveBack(_ account: UUID) {
        state.withLock { state in
            state.all -= 1
            let count = state.accounts[account, default: 0] - 1
            state.accounts[account] = count > 0 ? count : nil
        }
    }

    final class Place: Sendable {
        private let places: DownloadPlaces
        private let account: UUID

        fileprivate init(_ places: DownloadPlaces, _ account: UUID) {
            self.places = places
            self.account = account
        }

        deinit { places.giveBack(account) }
    }
}
