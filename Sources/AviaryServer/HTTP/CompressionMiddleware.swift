import CZlib
import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses pages for browsers that take them so. A page's token for forms is another in each answer, so what is beside it
/// does not give it away by the answer's size (BREACH); and what another site had a browser ask for is not compressed at all.
struct CompressionMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    /// Below it a packet is a packet.
    private static let least = 1200
    /// Above it others would wait for it.
    private static let long = 256 * 1024
    private static let types = ["text/html", "application/json"]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // The application's own answers are its own business.
        guard request.acceptsGzip, !request.isCrossSite, !RoutePath.isOwn(request.uri.path), Self.isWorthwhile(response)
        else {
            return response
        }
        let body = CollectedBody()
        try await response.body.write(body)
        guard let compressed = try await Self.compressed(body.buffer) else {
            return Response(
                status: response.status, headers: response.headers, body: ResponseBody(byteBuffer: body.buffer))
        }
        response.vary(on: "Accept-Encoding")
        var headers = response.headers
        headers[.contentEncoding] = "gzip"
        headers[.contentLength] = nil
        return Response(status: response.status, headers: headers, body: ResponseBody(byteBuffer: compressed))
    }

    private static func compressed(_ buffer: ByteBuffer) async throws -> ByteBuffer? {
        guard buffer.readableBytes > long else { return Gzip.compressed(buffer, level: .quick) }
        return try await awayFromEventLoop { Gzip.compressed(buffer, level: .quick) }
    }

    private static func isWorthwhile(_ response: Response) -> Bool {
        guard let length = response.body.contentLength, length >= least, response.headers[.contentEncoding] == nil,
            let type = response.headers[.contentType]
        else { return false }
        return types.contains { type.hasPrefix($0) }
    }
}

extension Request {
    /// Whether the client takes gzip; one that says nothing takes what there is, uncompressed.
    var acceptsGzip: Bool {
        guard let accepted = headers[.acceptEncoding] else { return false }
        return accepted.split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
            guard parts.first?.prefix(while: { $0 != " " }).lowercased() == "gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
        }
    }

    fileprivate var isCrossSite: Bool {
        HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] } == "cross-site"
    }
}

/// Takes what a body writes.
private final class CollectedBody: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        self.buffer.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// gzip in one go (RFC 1952), for what is small enough to stand in memory anyhow.
enum Gzip {
    /// From 1, the quickest, to 9, the smallest.
    enum Level: Int32 {
        /// For what is written anew for each request.
        case quick = 1
        /// For what is compressed once.
        case small = 9
    }

    /// Nil where zlib has no memory; then it is sent as it is.
    static func compressed(_ buffer: ByteBuffer, level: Level) -> ByteBuffer? {
        var stream = z_stream()
        guard aviary_gzip_deflate_init(&stream, level.rawValue) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(buffer.readableBytes)))
        var output = ByteBufferAllocator().buffer(capacity: bound)
        var isComplete = false
        buffer.withUnsafeReadableBytes { input in
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { space in
                stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(clamping: space.count)
                isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
                return isComplete ? Int(stream.total_out) : 0
            }
        }
        return isComplete ? output : nil
    }
}
