import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

// The tests run one after the other, because each case of the first test holds 900 descriptors.
@Suite("Slow request bodies and other users", .serialized)
struct DrippedFormTests {
    private static let password = "tapir umbrella quartz"

    @Test(
        "Beside 900 connections with slow bodies, a person can sign in and save",
        arguments: ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"], [10_000, 100_000])
    func dripping(type: String, length: Int) async throws {
        let server = try await Server.start()
        try await AccountBook(server).add("keeper", password: Self.password)
        let path = type.hasPrefix("multipart") ? "/admin/animals/import" : "/login"
        let session = try await SignIn(data: server.data, cookieName: server.sessionCookie, name: "dripper").cookie()
        let head =
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Type: \(type)\r\n"
            + (path == "/login" ? "" : "Cookie: \(server.sessionCookie)=\(session)\r\n")
            + "Content-Length: \(length)\r\n\r\n-"
        let drips = try (0..<900).map { _ in try Client(port: server.port, sending: head) }

        let browser = Browser(strangerAt: server)
        var form = try Form(of: try await browser.get("/login"), action: "/login")
        form["username"] = "keeper"
        form["password"] = Self.password
        let answer = try await browser.post("/login", form)
        #expect(answer.status == 303, "\(answer)")
        try await browser.addAnimal("Saved beside drips")
        #expect(try await browser.rows(named: "Saved beside drips") == 1)
        withExtendedLifetime(drips) {}
        await server.kill()
    }

    @Test("The body of an anonymous request is limited to 16 KiB")
    func stranger() async throws {
        let server = try await Server.start()
        let browser = Browser(strangerAt: server)
        var form = try Form(of: try await browser.get("/login"), action: "/login")
        form["username"] = String(repeating: "a", count: 17 << 10)
        #expect(try await browser.post("/login", form).status == 413)
        form["username"] = String(repeating: "a", count: 15 << 10)
        #expect(try await browser.post("/login", form).status == 422)
        await server.kill()
    }

    @Test("An anonymous upload is answered without reading its file")
    func strangersFile() async throws {
        let server = try await Server.start()
        // The file never arrives, and the answer does not wait for it.
        let client = try Client(
            port: server.port,
            sending: "POST /admin/animals/import HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
                + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n")
        #expect(await client.receiveAnswer().status == 303)
        await server.kill()
    }
}
