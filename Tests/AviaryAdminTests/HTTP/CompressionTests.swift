import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Response compression", .server)
struct CompressionTests {
    private static let gzip = ["Accept-Encoding": "gzip, deflate, br"]

    @Test("Compression halves pages and assets and adds Accept-Encoding to Vary")
    func sizes() async throws {
        let browser = Browser(try .shared)
        let file = try #require(try await browser.get("/admin").source.firstMatch(of: /href="(\/assets\/[^"]+\.css)"/))
            .1
        for path in ["/admin", "/admin/animals", String(file)] {
            let plain = try await browser.get(path), compressed = try await browser.get(path, headers: Self.gzip)
            #expect(plain.header("Content-Encoding").isEmpty)
            #expect(compressed.header("Content-Encoding") == ["gzip"])
            #expect(compressed.header("Vary").count == 1)
            #expect(compressed.header("Vary").joined().hasSuffix("Accept-Encoding"))
            let (before, after) = (
                Int(plain.header("Content-Length")[0]) ?? 0, Int(compressed.header("Content-Length")[0]) ?? 0
            )
            #expect(after > 0 && after * 2 < before, "\(path): \(before), \(after)")
            #expect(compressed.header("Content-Security-Policy") == plain.header("Content-Security-Policy"))
            #expect(compressed.status == 200)
        }
    }

    @Test("Cross-site requests and small responses are not compressed")
    func exceptions() async throws {
        let browser = Browser(try .shared)
        let crossSite = try await browser.get(
            "/admin", headers: Self.gzip.merging(["Sec-Fetch-Site": "cross-site"]) { $1 })
        #expect(crossSite.header("Content-Encoding").isEmpty)
        #expect(try await browser.get("/healthz", headers: Self.gzip).header("Content-Encoding").isEmpty)
        #expect(try await browser.get("/", headers: Self.gzip).header("Content-Encoding").isEmpty)
    }

    @Test(
        "The Accept-Encoding field is parsed with its quality values",
        arguments: [
            ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("gzip;q=0", false), ("gzip; q=0.000", false),
            ("br", false),
            ("identity", false), ("", false), ("x-gzipped", false), ("gzip;q=1.0", true),
        ])
    func accepted(field: String, isTaken: Bool) {
        let head = HTTPRequest(
            method: .get, scheme: nil, authority: nil, path: "/", headerFields: [.acceptEncoding: field])
        #expect(Request(head: head, body: RequestBody(buffer: ByteBuffer())).acceptsGzip == isTaken)
    }
}
