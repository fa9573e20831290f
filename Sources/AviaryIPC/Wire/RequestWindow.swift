import NIOCore
import Synchronization

/// What is under way, bounded in requests and bytes: what does not fit is refused at once, by the server before it is decoded. So a
/// store that is slow or stopped costs a client neither memory nor patience without end, and all clients together cannot fill the
/// store's.
final class RequestWindow: Sendable {
    private struct Counts {
        var requests = 0
        var bytes = 0
    }

    private let requestLimit: Int
    private let byteLimit: Int
    private let counts = Mutex(Counts())

    init(requests: Int, bytes: Int) {
        requestLimit = requests
        byteLimit = bytes
    }

    var requests: Int { counts.withLock { $0.requests } }

    /// False when there is no room. One request alone always fits.
    func enter(bytes: Int) -> Bool {
        counts.withLock { counts in
            let fits = counts.requests < requestLimit && counts.bytes + bytes <= byteLimit
            guard fits || counts.requests == 0 else { return false }
            counts.requests += 1
            counts.bytes += bytes
            return true
        }
    }

    func leave(bytes: Int) {
        counts.withLock { counts in
            counts.requests -= 1
            counts.bytes -= bytes
        }
    }
}

/// Frames on their way into a channel, from any thread: those of one turn of the event loop leave in one write.
final class Outbox: Sendable {
    private struct State {
        var frames: ByteBuffer?
        var isScheduled = false
        var isClosed = false
    }

    private let channel: any Channel
    private let state = Mutex(State())

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// - Parameter frame: Appends a whole frame. It is not called when the channel has closed.
    func append(_ frame: (inout ByteBuffer) -> Void) {
        let mustSchedule = state.withLock { state in
            guard !state.isClosed else { return false }
            // Taken out and put back, so that it is not copied.
            var frames = state.frames.take() ?? channel.allocator.buffer(capacity: 1024)
            frame(&frames)
            state.frames = consume frames
            guard !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if mustSchedule { channel.eventLoop.execute { self.flush() } }
    }

    /// What waits goes out now. On the event loop.
    func flush() {
        let frames = state.withLock { state in
            state.isScheduled = false
            return state.frames.take()
        }
        guard let frames, frames.readableBytes > 0 else { return }
        channel.writeAndFlush(frames, promise: nil)
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.frames = nil
        }
    }
}
