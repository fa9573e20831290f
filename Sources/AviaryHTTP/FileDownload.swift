package import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// A file that is sent unchanged, in parts. Little of the file is in memory, however large it is.
package struct FileDownload: Sendable {
    private static let partSize = 1 << 17

    private let file: OpenFile
    private let name: String
    private let type: String

    struct Unreadable: Error {}
    /// The error thrown when the requester may no longer read the file.
    struct Ended: Error {}

    private let isGood: @Sendable () async throws -> Bool
    private let interval: Duration
    private let place: DownloadSlots.Slot?

    /// Creates a download of the file at a path.
    ///
    /// - Parameters:
    ///   - name: The suggested file name: letters, digits, dots, dashes and underscores.
    ///   - isGood: A closure that returns whether the account may still read the file. It is called repeatedly
    ///     during the transfer.
    ///   - place: A place that the download holds until the transfer ends, completely or not.
    ///   - interval: The least time between two calls of `isGood`.
    /// - Throws: ``Unreadable``.
    package init(
        path: String, name: String, type: String = "application/gzip", place: DownloadSlots.Slot? = nil,
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

    package var response: Response {
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
                    // The head with the length is already sent, so an early end of the file can only end the
                    // connection before the promised length.
                    guard part.readableBytes > 0 else { throw Unreadable() }
                    sent += part.readableBytes
                    try await writer.write(part)
                }
                withExtendedLifetime(place) {}
                try await writer.finish(nil)
            }
        )
    }

    /// An open file. It stays readable during the transfer even if its name is removed or replaced.
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

/// The places for files that this process sends at the same time. Each file uses disk space for as long as its
/// reader takes.
package final class DownloadSlots: Sendable {
    private struct State {
        var all = 0
        var accounts: [UUID: Int] = [:]
    }

    private let most: Int
    private let mostOfAccount: Int
    private let state = Mutex(State())

    package init(most: Int = 16, ofAccount mostOfAccount: Int = 4) {
        self.most = most
        self.mostOfAccount = mostOfAccount
    }

    /// Takes a place for an account.
    ///
    /// - Returns: A place that becomes free again when its last reference ends, or nil if all places are taken.
    package func take(for account: UUID) -> Slot? {
        let isTaken = state.withLock { state in
            guard state.all < most, state.accounts[account, default: 0] < mostOfAccount else { return false }
            state.all += 1
            state.accounts[account, default: 0] += 1
            return true
        }
        return isTaken ? Slot(self, account) : nil
    }

    fileprivate func giveBack(_ account: UUID) {
        state.withLock { state in
            state.all -= 1
            let count = state.accounts[account, default: 0] - 1
            state.accounts[account] = count > 0 ? count : nil
        }
    }

    package final class Slot: Sendable {
        private let places: DownloadSlots
        private let account: UUID

        fileprivate init(_ places: DownloadSlots, _ account: UUID) {
            self.places = places
            self.account = account
        }

        deinit { places.giveBack(account) }
    }
}
