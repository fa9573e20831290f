import AviaryDomain
import CSupport
import Foundation
package import Logging
import NIOCore
import NIOExtras
import NIOFoundationCompat
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Serves the store on a Unix socket: requests of any number of workers, answered as they are done.
package struct StoreServer: Sendable {
    private let service: any StoreService
    private let logger: Logger

    package init(service: any StoreService, logger: Logger) {
        self.service = service
        self.logger = logger
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter descriptor: a listening Unix socket; taken over.
    package func run(on descriptor: CInt) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(descriptor) { channel in
                channel.eventLoop.makeCompletedFuture { try Self.configure(channel) }
            }
        try await withThrowingDiscardingTaskGroup { connections in
            try await server.executeThenClose { inbound in
                for try await connection in inbound {
                    connections.addTask { await serve(connection) }
                }
            }
        }
    }

    private static func configure(_ channel: any Channel) throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(
                LengthFieldBasedFrameDecoder(lengthFieldBitLength: .fourBytes), maximumBufferSize: Frame.largest
            ),
            LengthFieldPrepender(lengthFieldBitLength: .fourBytes),
        ])
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    }

    private func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async {
        guard await isOwnUser(connection.channel) else {
            logger.warning("a connection of another user was refused")
            connection.channel.close(promise: nil)
            return
        }
        do {
            try await connection.executeThenClose { inbound, outbound in
                try await withThrowingDiscardingTaskGroup { requests in
                    for try await buffer in inbound {
                        guard let frame = Frame(buffer) else { return }
                        requests.addTask {
                            let response = await answer(frame)
                            let body = try JSONEncoder().encodeAsByteBuffer(response, allocator: ByteBufferAllocator())
                            // A worker that has gone away asks again; its answer is in the receipt.
                            try? await outbound.write(Frame(id: frame.id, body: body).buffer)
                        }
                    }
                }
            }
        } catch {
            logger.debug("a connection ended", metadata: ["error": "\(error)"])
        }
    }

    private func answer(_ frame: Frame) async -> StoreResponse {
        guard frame.version == Frame.protocolVersion else { return .incompatible(version: Frame.protocolVersion) }
        guard !frame.deadline.isPast else { return .expired }
        let request: StoreRequest
        do {
            request = try JSONDecoder().decode(StoreRequest.self, from: frame.body)
        } catch {
            return .refused(.malformed("the request cannot be read."))
        }
        // Reading a large request takes time, and so may the wait for a processor after a pause.
        guard !frame.deadline.isPast else { return .expired }
        do throws(StoreError) {
            switch request {
            case .submit(let changeSet): return .stored(try await service.submit(changeSet))
            case .undo(let undo): return .stored(try await service.undo(undo))
            case .discard(let draft):
                try await service.discard(draft: draft)
                return .discarded
            case .replaceContents(let path):
                return .replaced(commit: try await service.replaceContents(withStoreAt: path))
            case .status: return .status(await service.status())
            }
        } catch {
            return .refused(error)
        }
    }

    /// The socket's permissions keep other users out already; this also holds where somebody widened them.
    private func isOwnUser(_ channel: any Channel) async -> Bool {
        #if os(Linux)
        guard let provider = channel as? any SocketOptionProvider else { return false }
        do {
            let peer: aviary_peer = try await provider
                .unsafeGetSocketOption(level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)).get()
            return peer.user == geteuid()
        } catch {
            return false
        }
        #else
        return true
        #endif
    }
}
