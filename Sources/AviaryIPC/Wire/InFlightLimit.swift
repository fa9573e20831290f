import NIOCore
import Synchronization

/// The requests in flight, limited in number and bytes.
///
/// A request that does not fit is rejected at once; the server does so before it decodes the request. With a slow
/// or stopped store, a client therefore uses neither unlimited memory nor unlimited time, and all clients together
/// cannot fill the store's memory.
final class InFlightLimit: Sendable {
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

    /// Adds a request. Returns false when there is no room for it; a request always fits when it is the only one.
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

/// The frames that wait to be written to a channel, from any thread.
///
/// The frames of one turn of the event loop leave in one write.
final class FrameWriteBuffer: Sendable {
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

    /// Appends a frame.
    ///
    /// - Parameter frame: Appends a whole frame. It is not called after the channel has closed.
    func append(_ frame: (inout ByteBuffer) -> Void) {
        let mustSchedule = state.withLock { state in
            guard !state.isClosed else { return false }
            // The buffer is taken out and put back, so that it is not copied.
            var frames = state.frames.take() ?? channel.allocator.buffer(capacity: 1024)
            frame(&frames)
            state.frames = consume frames
            guard !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if mustSchedule { channel.eventLoop.execute { self.flush() } }
    }

    /// Writes the waiting frames now. The caller is on the event loop.
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
