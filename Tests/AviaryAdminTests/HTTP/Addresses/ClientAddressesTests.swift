import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Client addresses behind trusted proxies")
struct ClientAddressesTests {
    @Test(
        "The forwarded addresses are read from the end as far as trusted proxies wrote them",
        arguments: [
            ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"), ("127.0.0.1", [], "127.0.0.1"),
            // The address that a client claims precedes the one that the proxy saw.
            ("127.0.0.1", ["198.51.100.1, 192.0.2.7"], "192.0.2.7"),
            ("127.0.0.1", ["198.51.100.1", "192.0.2.7"], "192.0.2.7"),
            // Two proxies in a row.
            ("127.0.0.1", ["192.0.2.7, 10.1.2.3"], "192.0.2.7"),
            ("127.0.0.1", ["198.51.100.1,192.0.2.7,10.1.2.3 , 127.0.0.1"], "192.0.2.7"),
            ("127.0.0.1", ["10.1.2.3"], "10.1.2.3"), ("127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
            // An invalid address ends the reading.
            ("127.0.0.1", ["unknown"], "127.0.0.1"), ("127.0.0.1", ["192.0.2.7, unknown, 10.1.2.3"], "10.1.2.3"),
            ("127.0.0.1", [""], "127.0.0.1"),
            ("127.0.0.1", ["192.0.2.7:1234"], "127.0.0.1"),
            // This peer is not trusted.
            ("203.0.113.9", ["192.0.2.7"], "203.0.113.9"), ("::1", ["192.0.2.7"], "::1"),
        ])
    func client(peer: String, forwardedFor: [String], client: String) throws {
        let clients = ClientAddresses(trustedProxies: [try AddressRange("127.0.0.1"), try AddressRange("10.0.0.0/8")])
        #expect(clients.client(of: try request(forwardedFor), peer: IPAddress(peer)) == IPAddress(client))
    }

    @Test("Without trusted proxies, the client is the peer")
    func nobody() throws {
        let clients = ClientAddresses(trustedProxies: [])
        #expect(clients.client(of: try request(["192.0.2.7"]), peer: IPAddress("127.0.0.1")) == IPAddress("127.0.0.1"))
        #expect(clients.client(of: try request(["192.0.2.7"]), peer: nil) == nil)
    }

    private func request(_ forwardedFor: [String]) throws -> Request {
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        var fields = HTTPFields()
        for value in forwardedFor { fields.append(HTTPField(name: name, value: value)) }
        return Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: fields),
            body: RequestBody(buffer: ByteBuffer())
        )
    }
}

@Suite("Client addresses in the access log")
struct ClientLogTests {
    @Test(
        "The access log shows the forwarded address only if the proxy is trusted",
        arguments: [("127.0.0.1", "192.0.2.7"), ("10.0.0.1", "127.0.0.1")])
    func logged(trusted: String, client: String) async throws {
        let server = try await Server.start(flags: ["--access-log", "--log-format", "json", "--trusted-proxy", trusted])
        _ = try await Browser(server, from: "127.0.0.1").get(
            "/admin", headers: ["X-Forwarded-For": "198.51.100.1, 192.0.2.7"])
        let log = try server.errors()
        #expect(log.contains("\"client\":\"\(client)\""), "\(log)")
        #expect(!log.contains("198.51.100.1"))
        await server.kill()
    }
}
