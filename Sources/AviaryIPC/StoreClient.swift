import AviaryDomain
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOExtras
import NIOFoundationCompat
import NIOPosix

/// The store as a worker sees it: through its socket.
///
/// A request whose connection is lost is sent again until its deadline; the change set's receipt makes that safe. After
/// the deadline nothing is done any more: the store does not begin an expired request.
package final class StoreClient: Sendable {
    private enum Link {
        case none
        case connecting(EventLoopFuture<any Channel>)
    }

    /// How long a write may wait for the store.
    package static let patience: Duration = .seconds(5)
    /// How much longer an answer is waited for: the store may have begun just before the deadline.
    private static let grace: Duration = .milliseconds(500)
    private static let pauseBeforeRepeat: Duration = .milliseconds(20)

    private let path: String
    let patience: Duration
    private let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    private let link = NIOLockedValueBox(Link.none)

    package init(path: String, patience: Duration = StoreClient.patience) {
        self.path = path
        self.patience = patience
    }

    /// Sends the request until there is an answer or the deadline has passed.
    func ask(_ request: StoreRequest, patience: Duration? = nil) async throws(StoreError) -> StoreResponse {
        let deadline = MonotonicTime.now.advanced(by: patience ?? self.patience)
        let body: ByteBuffer
        do {
            body = try JSONEncoder().encodeAsByteBuffer(request, allocator: ByteBufferAllocator())
        } catch {
            throw .malformed("the change set cannot be encoded.")
        }
        var wasSent = false
        while true {
            do {
                let channel = try await channel()
                wasSent = true
                let response = try await send(body, deadline: deadline, on: channel)
                switch response {
                case .refused(let error): throw error
                case .expired: throw StoreError.unavailable("it did not come to this in time.")
                case .incompatible(let version):
                    throw StoreError.unavailable("it speaks version \(version) of the protocol and this process version \(Frame.protocolVersion). Restart the server.")
                default: return response
                }
            } catch let error as StoreError {
                throw error
            } catch {
                guard !deadline.isPast, !Task.isCancelled else {
                    throw wasSent ? .unanswered : .unavailable("it cannot be reached.")
                }
                try? await Task.sleep(for: Self.pauseBeforeRepeat)  // when cancelled, the check above ends this
            }
        }
    }

    private func send(
        _ body: ByteBuffer, deadline: MonotonicTime, on channel: any Channel
    ) async throws -> StoreResponse {
        let answer = channel.eventLoop.makePromise(of: ByteBuffer.self)
        let timeout = channel.eventLoop.scheduleTask(in: .init(deadline.remaining + Self.grace)) {
            answer.fail(RequestHandler.ConnectionLost())
        }
        channel.writeAndFlush(PendingRequest(deadline: deadline, body: body, answer: answer)).cascadeFailure(to: answer)
        defer { timeout.cancel() }
        let reply = try await answer.futureResult.get()
        return try JSONDecoder().decode(StoreResponse.self, from: reply)
    }

    /// The connection; a new one when there is none or the last one ended.
    private func channel() async throws -> any Channel {
        let future = link.withLockedValue { link in
            if case .connecting(let future) = link { return future }
            let future = connect()
            link = .connecting(future)
            return future
        }
        do {
            let channel = try await future.get()
            if channel.isActive { return channel }
            forget(future)
            throw RequestHandler.ConnectionLost()
        } catch {
            forget(future)
            throw error
        }
    }

    private func forget(_ future: EventLoopFuture<any Channel>) {
        link.withLockedValue { link in
            if case .connecting(let current) = link, current === future { link = .none }
        }
    }

    private func connect() -> EventLoopFuture<any Channel> {
        guard let socket = UnixSocketPath(path) else {
            return group.any().makeFailedFuture(RequestHandler.ConnectionLost())
        }
        return ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        ByteToMessageHandler(
                            LengthFieldBasedFrameDecoder(lengthFieldBitLength: .fourBytes),
                            maximumBufferSize: Frame.largest
                        ),
                        LengthFieldPrepender(lengthFieldBitLength: .fourBytes),
                    ])
                    try channel.pipeline.syncOperations.addHandler(RequestHandler())
                }
            }
            .connect(unixDomainSocketPath: socket.address)
            // The address is valid while its directory is open.
            .always { _ in withExtendedLifetime(socket) {} }
    }
}
