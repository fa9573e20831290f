import Foundation
import Testing

@Suite("Validation of the Host field", .server)
struct HostTests {
    @Test(
        "Every loopback name is accepted with the server's port",
        arguments: ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
    func known(name: String) async throws {
        let port = try Server.shared.port
        #expect(try await status(["Host: \(name):\(port)"]) == "200")
    }

    @Test(
        "A foreign, missing, repeated or incomplete host answers 400",
        arguments: [
            ["Host: evil.example"], ["Host: 127.0.0.1"], ["Host: 127.0.0.1:1"], ["Host:"],
            ["Host: 127.0.0.1.evil.example:PORT"], [],
            ["Host: 127.0.0.1:PORT", "Host: 127.0.0.1:PORT"], ["Host: 127.0.0.1:PORT", "Host: evil.example"],
            ["Host: evil.example", "Host: 127.0.0.1:PORT"], ["Host: 127.0.0.1:PORT, evil.example"],
        ])
    func refused(headers: [String]) async throws {
        #expect(try await status(headers) == "400")
    }

    @Test("A request after one with a foreign host is not answered")
    func ending() async throws {
        let port = try Server.shared.port
        let answer = try await RawConnection.send(
            ["GET /admin HTTP/1.1", "Host: evil.example", "", "GET /healthz HTTP/1.1", "Host: 127.0.0.1:\(port)"],
            to: port
        )
        #expect(answer.hasPrefix("HTTP/1.1 400"))
        #expect(answer.contains("Connection: close\r\n"))
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
    }

    @Test("An absolute request target does not override the Host field")
    func absoluteForm() async throws {
        let port = try Server.shared.port
        let answer = try await RawConnection.send(
            ["GET http://127.0.0.1:\(port)/admin HTTP/1.1", "Host: evil.example", "Connection: close"], to: port
        )
        #expect(!answer.hasPrefix("HTTP/1.1 200"))
    }

    @Test("A rejected host gets the security headers and no session")
    func headers() async throws {
        let answer = try await RawConnection.send(
            ["GET /admin HTTP/1.1", "Host: evil.example", "Connection: close"], to: try Server.shared.port)
        #expect(answer.contains("Content-Security-Policy: default-src 'none'"))
        #expect(answer.contains("Permissions-Policy: ") && answer.contains("geolocation=()"))
        #expect(!answer.lowercased().contains("set-cookie"))
        #expect(!answer.contains("evil.example"))
    }

    private func status(_ headers: [String]) async throws -> String {
        let port = try Server.shared.port
        let lines =
            ["GET /login HTTP/1.1"] + headers.map { $0.replacing("PORT", with: "\(port)") } + ["Connection: close"]
        let answer = try await RawConnection.send(lines, to: port)
        return String(answer.dropFirst("HTTP/1.1 ".count).prefix(3))
    }
}
