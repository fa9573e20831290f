import Foundation
import Testing

@Suite("Request smuggling", .server)
struct SmugglingTests {
    /// The ambiguous requests.
    ///
    /// `HOST` stands for the right field. The request that follows each of them must not be answered.
    private static let vectors: [String] = [
        // Two lengths.
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: 1, 1\r\n\r\na",
        // Invalid lengths.
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: -1\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: +1\r\n\r\na",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: 0x1\r\n\r\na",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: 1 2\r\n\r\na",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length:\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length: 18446744073709551617\r\n\r\n",
        // Transfer codings that another server may or may not interpret as chunked.
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: gzip\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding:\u{0B}chunked\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
        "POST /admin HTTP/1.0\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        // Line ends and spaces.
        "GET /admin HTTP/1.1\r\nHOST\r\nX: a\r\n b\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX: a\r\n\tb\r\n\r\n",
        "GET /admin HTTP/1.1\r\n HOST\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX: a\rContent-Length: 10\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX: a\nContent-Length: 10\r\n\r\n",
        "GET /admin HTTP/1.1\nHOST\n\n",
        "GET /admin HTTP/1.1\r\nHOST\r\n\n",
        "GET /admin HTTP/1.1\r\nHOST\n\r\n",
        "GET /admin HTTP/1.1\rHOST\r\r",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length : 0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nContent-Length\t: 0\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\n: x\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX(y): z\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nXé: z\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX: a\0b\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX\0: a\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX: a\u{7F}b\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nX: a\u{8}b\r\n\r\n",
        // Hosts.
        "GET /admin HTTP/1.1\r\n\r\n",
        "GET /admin HTTP/1.0\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nHOST\r\n\r\n",
        "GET /admin HTTP/1.1\r\nHOST\r\nHost: evil.example\r\n\r\n",
        // Request lines.
        "GET http://127.0.0.1/admin HTTP/1.1\r\nHOST\r\n\r\n",
        "GET https://evil.example/admin HTTP/1.1\r\nHOST\r\n\r\n",
        "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHOST\r\n\r\n",
        "CONNECT /admin HTTP/1.1\r\nHOST\r\n\r\n",
        "GET 127.0.0.1:80 HTTP/1.1\r\nHOST\r\n\r\n",
        "GET * HTTP/1.1\r\nHOST\r\n\r\n",
        "GET admin HTTP/1.1\r\nHOST\r\n\r\n",
        "GET /admin#x HTTP/1.1\r\nHOST\r\n\r\n",
        "GET /ad\0min HTTP/1.1\r\nHOST\r\n\r\n",
        "GET /ad\u{1}min HTTP/1.1\r\nHOST\r\n\r\n",
        "GET /ad\u{7F}min HTTP/1.1\r\nHOST\r\n\r\n",
        "GET /ad\tmin HTTP/1.1\r\nHOST\r\n\r\n",
        "GET /admin x HTTP/1.1\r\nHOST\r\n\r\n",
        "GET  /admin HTTP/1.1\r\nHOST\r\n\r\n",
        "GET /admin  HTTP/1.1\r\nHOST\r\n\r\n",
        "GET\t/admin HTTP/1.1\r\nHOST\r\n\r\n",
        " GET /admin HTTP/1.1\r\nHOST\r\n\r\n",
        "\r\n\r\nGET /admin HTTP/1.1\r\nHOST\r\n\r\n",
        "GET /admin HTTP/1.1 \r\nHOST\r\n\r\n",
        "GET /admin\r\n", "GET /admin\r\n\r\n", "\0\0\0\0\r\n\r\n", "get /admin HTTP/1.1\r\nHOST\r\n\r\n",
        "G@T /admin HTTP/1.1\r\nHOST\r\n\r\n",
        "FROBNICATE /admin HTTP/1.1\r\nHOST\r\n\r\n",
        // Versions.
        "GET /admin HTTP/0.9\r\nHOST\r\n\r\n",
        "GET /admin HTTP/1.2\r\nHOST\r\n\r\n",
        "GET /admin HTTP/2.0\r\nHOST\r\n\r\n",
        "GET /admin HTTP/1.10\r\nHOST\r\n\r\n",
        "GET /admin http/1.1\r\nHOST\r\n\r\n",
        "GET /admin HTTPS/1.1\r\nHOST\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0",
        // Chunks.
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\na\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\na\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n1;a\nb\r\na\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\n0\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length : 5\r\n\r\n",
        "POST /admin HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n1;" + String(repeating: "a", count: 20_000)
            + "\r\na\r\n0\r\n\r\n",
    ]

    @Test("An ambiguous request answers 400 and closes the connection without a second answer", arguments: vectors)
    func refused(vector: String) async throws {
        let port = try Server.shared.port
        let host = "Host: 127.0.0.1:\(port)"
        let client = try Client(port: port)
        await client.send(vector.replacing("HOST", with: host) + "GET /healthz HTTP/1.1\r\n\(host)\r\n\r\n")
        let received = await client.receive()
        #expect(received.end == .closed)
        #expect(received.statuses == [400])
        #expect(received.text.contains("Connection: close\r\n"))
        #expect(!received.text.contains("ok\n"))
        #expect(try await Browser(strangerAt: .shared).get("/healthz").status == 200)
    }

    @Test(
        "A length or chunk size far above the limit answers 413, even if it overflows an integer",
        arguments: [
            "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
            "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
            "Transfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\n", "Content-Length: 999999999999999999\r\n\r\n",
        ])
    func huge(rest: String) async throws {
        let port = try Server.shared.port
        let client = try Client(port: port)
        await client.send(
            "POST /admin HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n" + rest
                + "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        let received = await client.receive()
        #expect(received.statuses == [413])
        #expect(received.end == .closed)
    }

    @Test("A body that ends before its length answers 400 and stores nothing", arguments: [true, false])
    func cutOff(isChunked: Bool) async throws {
        let browser = Browser(try .shared)
        let name = Unique.name("Cut off ")
        let form = try await browser.newAnimal(name).encoded
        let client = try Client(port: browser.port)
        let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let length =
            isChunked
            ? "Transfer-Encoding: chunked\r\n\r\n\(String(form.utf8.count, radix: 16))\r\n"
            : "Content-Length: \(form.utf8.count + 1)\r\n\r\n"
        await client.send(
            """
            POST /admin/animals HTTP/1.1\r\nHost: 127.0.0.1:\(browser.port)\r\nCookie: \(cookies)\r\n\
            Content-Type: application/x-www-form-urlencoded\r\n
            """ + length + form)
        client.closeOutput()
        let received = await client.receive()
        #expect(received.statuses == [400])
        #expect(received.end == .closed)
        #expect(try await browser.rows(named: name) == 0)
    }
}

extension Browser {
    fileprivate var port: Int { Int(address.split(separator: ":").last ?? "") ?? 0 }
}
