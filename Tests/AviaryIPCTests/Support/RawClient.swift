import AviaryDomain
import NIOCore
import NIOPosix
import TestSupport

@testable import AviaryIPC

/// A client that sends arbitrary bytes, one by one if necessary.
struct RawClient {
    let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    static func use(_ path: String, _ body: (Conversation) async throws -> Void) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            try await body(Conversation(inbound: inbound.makeAsyncIterator(), outbound: outbound))
        }
    }

    final class Conversation {
        private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        private var received = ByteBuffer()

        init(
            inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
            outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        ) {
            self.inbound = inbound
            self.outbound = outbound
        }

        func send(_ bytes: [UInt8]) async throws {
            try await outbound.write(ByteBuffer(bytes: bytes))
        }

        func send(
            _ kind: Frame.Kind, id: UInt64 = 0, deadline: MonotonicTime? = nil, _ body: (inout ByteBuffer) -> Void
        ) async throws {
            var buffer = ByteBuffer()
            buffer.writeFrame(kind, id: id, deadline: deadline, body: body)
            try await outbound.write(buffer)
        }

        /// Sends a greeting.
        ///
        /// - Parameter id: The number that represents the versions of the protocol; 0 is that of a program from
        ///   before version ranges.
        func greet(as kind: ClientIdentity.Kind = .worker, schema: [String] = [], id: UInt64 = 0) async throws {
            try await send(.hello, id: id) { ClientIdentity(kind: kind, pid: 1, schema: schema).write(to: &$0) }
        }

        func submit(_ changeSet: ChangeSet, id: UInt64, within time: Duration = Patience.bound) async throws {
            try await send(.request, id: id, deadline: .now.advanced(by: time)) {
                StoreRequest.write(.submit(changeSet)).write(to: &$0)
            }
        }

        /// Returns the next frame; nil when the connection has ended.
        func next() async throws -> Frame? {
            while true {
                if let length = received.getInteger(at: received.readerIndex, as: UInt32.self),
                    received.readableBytes >= 4 + Int(length)
                {
                    received.moveReaderIndex(forwardBy: 4)
                    guard let slice = received.readSlice(length: Int(length)),
                        case .frame(let frame) = ReceivedFrame(slice)
                    else { return nil }
                    return frame
                }
                // A reset connection counts as ended.
                guard var bytes = try? await inbound.next() else { return nil }
                received.writeBuffer(&bytes)
            }
        }

        /// Returns the reason in the store's last frame.
        func rejection() async throws -> String? {
            guard let frame = try await next(), frame.kind == .rejection else { return nil }
            var reader = WireReader(frame.body)
            return try reader.text()
        }
    }
}
