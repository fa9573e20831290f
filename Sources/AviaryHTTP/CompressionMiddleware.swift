import CZlib
import HTTPTypes
package import Hummingbird
package import NIOCore

/// A middleware that compresses pages for browsers that accept gzip.
///
/// The form token differs in each answer, so that the size of a compressed answer does not reveal it (BREACH).
/// Answers to cross-site requests are not compressed.
package struct CompressionMiddleware<Context: RequestContext>: RouterMiddleware {
    /// A closure that returns whether the answers of a path are sent as they are.
    let isExempt: @Sendable (String) -> Bool

    package init(isExempt: @escaping @Sendable (String) -> Bool) {
        self.isExempt = isExempt
    }

    /// The smallest size to compress, in bytes. A smaller answer fits into one packet, and one packet costs the
    /// same at any size.
    private static var least: Int { 1200 }
    /// The size in bytes above which compression leaves the event loop, so that other connections do not wait.
    private static var long: Int { 256 * 1024 }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard request.allowsCompression, !isExempt(request.uri.path), Self.isWorthwhile(response)
        else {
            return response
        }
        let body = CollectedBody()
        try await response.body.write(body)
        guard let compressed = try await Self.compressed(body.buffer) else {
            return Response(
                status: response.status, headers: response.headers, body: ResponseBody(byteBuffer: body.buffer))
        }
        return response.compressed(as: compressed)
    }

    private static func compressed(_ buffer: ByteBuffer) async throws -> ByteBuffer? {
        guard buffer.readableBytes > long else { return Gzip.compressed(buffer, level: .quick) }
        return try await offloadFromEventLoop { Gzip.compressed(buffer, level: .quick) }
    }

    private static func isWorthwhile(_ response: Response) -> Bool {
        guard let length = response.body.contentLength, length >= least, response.headers[.contentEncoding] == nil,
            let type = response.headers[.contentType]
        else { return false }
        return type.hasPrefix("text/html") || type.hasPrefix("application/json")
    }
}

extension Request {
    /// Indicates whether the client accepts gzip. A client without an `Accept-Encoding` header gets the answer
    /// uncompressed.
    package var acceptsGzip: Bool {
        guard let accepted = headers[.acceptEncoding] else { return false }
        return accepted.split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
            guard parts.first?.prefix(while: { $0 != " " }).lowercased() == "gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
        }
    }

    /// Indicates whether the answer may be compressed.
    package var allowsCompression: Bool {
        acceptsGzip && HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] } != "cross-site"
    }
}

extension Response {
    /// Returns the same response with a body that is compressed with gzip.
    package func compressed(as body: ByteBuffer) -> Response {
        var response = self
        response.vary(on: "Accept-Encoding")
        response.headers[.contentEncoding] = "gzip"
        response.headers[.contentLength] = nil
        return Response(status: status, headers: response.headers, body: ResponseBody(byteBuffer: body))
    }

    /// Adds request fields to `Vary`, which names what a response depends on besides its address (RFC 9110, section
    /// 12.5.5).
    package mutating func vary(on fields: String...) {
        headers[.vary] = ([headers[.vary]].compactMap(\.self) + fields).joined(separator: ", ")
    }
}

/// A writer that collects a body in memory.
private final class CollectedBody: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        self.buffer.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Compression with gzip in one call (RFC 1952), for data that is small enough to be in memory.
package enum Gzip {
    /// The compression level, from 1, the fastest, to 9, the smallest output.
    package enum Level: Int32 {
        /// The level for data that is generated for each request.
        case quick = 1
        /// The level for data that is compressed once.
        case small = 9
    }

    /// Returns the compressed bytes, or nil if zlib cannot allocate memory. The caller then sends the bytes
    /// uncompressed.
    package static func compressed(_ buffer: ByteBuffer, level: Level) -> ByteBuffer? {
        var stream = z_stream()
        guard aviary_gzip_deflate_init(&stream, level.rawValue) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(buffer.readableBytes)))
        var output = ByteBufferAllocator().buffer(capacity: bound)
        var isComplete = false
        buffer.withUnsafeReadableBytes { input in
            _ = output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { space in
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

    /// Returns whether bytes are the complete compressed form of a text.
    static func contains(_ text: ByteBuffer, _ compressed: ByteBuffer) -> Bool {
        var stream = z_stream()
        guard aviary_gzip_inflate_init(&stream) == Z_OK else { return false }
        defer { inflateEnd(&stream) }
        let size = text.readableBytes
        var output = ByteBufferAllocator().buffer(capacity: size + 1)
        var isComplete = false
        compressed.withUnsafeReadableBytes { input in
            _ = output.writeWithUnsafeMutableBytes(minimumWritableBytes: size + 1) { space in
                stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(clamping: space.count)
                isComplete = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
                return Int(stream.total_out)
            }
        }
        return isComplete && output == text
    }
}
