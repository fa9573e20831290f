import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Strict parsing of heads and bodies")
struct RequestScannerTests {
    @Test(
        "A head has the same meaning however it is split",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "\r\nGET /a?b=%20 HTTP/1.1\r\nhost: a\r\nConnection: keep-alive, Close\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\nExpect: 100-Continue\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost:a\r\nTransfer-Encoding:\tChunked \r\n\r\n",
            "OPTIONS * HTTP/1.0\r\nX:\r\nHost: a\r\n\r\n",
        ])
    func pieces(text: String) throws {
        let whole = try head(of: text)
        #expect(whole.length == text.utf8.count)
        #expect(try headByteByByte(of: text) == whole)
    }

    @Test("Field names and options are recognized in any case")
    func facts() throws {
        let post = try head(
            of:
                "POST / HTTP/1.1\r\nHOST: a\r\ncontent-LENGTH: 0012\r\nConnection: x ,close\r\nEXPECT: 100-continue\r\n\r\n"
        ).head
        #expect(
            post.body == .length(12) && post.asksToClose && post.expectsContinue && !post.isRead
                && !post.keepsConnection)
        let old = try head(of: "HEAD / HTTP/1.0\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n").head
        #expect(old.isRead && !old.isCurrent && old.keepsConnection)
        #expect(try !head(of: "GET / HTTP/1.0\r\nHost: a\r\n\r\n").head.keepsConnection)
        #expect(try !head(of: "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n").head.keepsConnection)
    }

    @Test("Parsing stops at the end of the head")
    func following() throws {
        #expect(try head(of: "GET / HTTP/1.1\r\nHost: a\r\n\r\n\0\0\0").length == 27)
    }

    @Test(
        "An invalid line is rejected as soon as it is complete",
        arguments: [
            "GET / HTTP/2.0\r\n", "GET /\r\n", "GET / HTTP/1.1\r\n folded: 1\r\n", "GET / HTTP/1.1\n",
            "\u{16}\u{3}\u{1}",
            "GET / HTTP/1.1\r\nContent-Length: x\r\n", "\r\n\r\n",
        ])
    func early(text: String) {
        #expect(throws: ConnectionError.self) { try head(of: text) }
    }

    @Test(
        "Chunks are parsed to their end however they are split",
        arguments: [
            "5\r\nabcde\r\n0\r\n\r\n", "5;a=b\r\nabcde\r\n00\r\n\r\n", "1\r\na\r\n4\r\nbcde\r\n0\r\nTrailer: x\r\n\r\n",
            "A\r\n0123456789\r\n0\r\n\r\n",
        ])
    func chunks(text: String) throws {
        var whole = BodyScanner(.chunked, .standard)
        #expect(try whole.scan(text + "GET /") == text.utf8.count)
        #expect(whole.isDone)
        var single = BodyScanner(.chunked, .standard)
        for byte in text.utf8 {
            #expect(!single.isDone)
            #expect(try single.scan([byte]) == 1)
        }
        #expect(single.isDone)
    }

    @Test(
        "Ambiguous chunks are rejected",
        arguments: [
            "\r\n", "x\r\n", "-1\r\n", "+1\r\n", " 1\r\n", "1 \r\n", "0x1\r\n", "1\n", "1\ra", "1;a\nb\r\n", "1;\0\r\n",
            "1\r\nab", "1\r\na\n",
            "1\r\na\rX", "FFFFFFFFFFFFFFFF\r\n", "10000000000000000\r\n", "00000000000000001\r\n", "0\r\n :x\r\n",
            "0\r\na b: x\r\n", "0\r\na: x\n",
            "0\r\na: \u{1}\r\n", "0\r\n\rX",
        ])
    func badChunks(text: String) {
        #expect(throws: ConnectionError.self) {
            var scanner = BodyScanner(.chunked, .standard)
            _ = try scanner.scan(text)
        }
    }

    @Test("Extensions, trailers and tiny chunks have a limit of their own")
    func overhead() throws {
        for text in [
            "1;" + String(repeating: "a", count: 17_000), "0\r\na: " + String(repeating: "b", count: 17_000),
            String(repeating: "1\r\na\r\n", count: 5000),
        ] {
            var scanner = BodyScanner(.chunked, .standard)
            #expect(throws: ConnectionError.self) { try scanner.scan(text) }
        }
        var honest = BodyScanner(.chunked, .standard)
        let chunk = "400\r\n" + String(repeating: "a", count: 1024) + "\r\n"
        #expect(try honest.scan(String(repeating: chunk, count: 10_000)) == chunk.utf8.count * 10_000)
    }

    @Test(
        "Large bodies are accepted only for POST requests on upload paths",
        arguments: [
            ("POST /files/upload", true), ("POST /Files/upLoad?a=/b", true), ("POST /files/a/import", true),
            ("POST /files/a/b/import?x", true), ("GET /files/upload", false), ("POST /files/upload/", false),
            ("POST /files/import", false), ("POST /files//import", false), ("POST /files/a/imports", false),
            ("POST /file/a/import", false), ("POST /x?/files/a/import", false), ("POST /", false),
        ])
    func uploadPaths(line: String, isUpload: Bool) throws {
        var limits = ConnectionLimits.standard
        limits.uploadPaths = ["/files/upload", "/files/{name}/import"].map { UploadPath($0) }
        var scanner = RequestScanner(limits)
        let bytes = ByteBuffer(string: line + " HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try scanner.scan(bytes.readableBytesUInt8Span) != nil)
        #expect(scanner.head.isUpload == isUpload)
    }

    private struct Found: Equatable {
        let head: RequestHead
        let length: Int?
    }

    private func head(of text: String) throws -> Found {
        var scanner = RequestScanner(.standard)
        let bytes = ByteBuffer(string: text)
        let length = try scanner.scan(bytes.readableBytesUInt8Span)
        return Found(head: scanner.head, length: length)
    }

    private func headByteByByte(of text: String) throws -> Found {
        var scanner = RequestScanner(.standard)
        var bytes = ByteBuffer()
        var length: Int?
        for byte in text.utf8 {
            #expect(length == nil)
            bytes.writeInteger(byte)
            length = try scanner.scan(bytes.readableBytesUInt8Span)
        }
        return Found(head: scanner.head, length: length)
    }
}

extension BodyScanner {
    fileprivate mutating func scan(_ text: String) throws(ConnectionError) -> Int {
        try scan(Array(text.utf8))
    }

    fileprivate mutating func scan(_ bytes: [UInt8]) throws(ConnectionError) -> Int {
        try scan(bytes.span)
    }
}
