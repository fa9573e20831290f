import Foundation
import Testing

@testable import AviaryAdmin
@testable import AviaryDomain

@Suite("Second factors stored by an earlier version")
struct ResealingTests {
    private static let password = "tapir umbrella quartz"
    private let directory: TestDirectory

    init() throws { directory = try TestDirectory() }

    @Test("The first start seals old secrets for their accounts, and a second start changes nothing")
    func atStart() async throws {
        var server = try await Server.start(in: directory)
        let secret = try await addUnbound("ada", server)
        await server.stop()
        server = try await Server.start(in: directory)
        let sealed = try await expectBound("ada", secret, server)
        #expect(try server.errors().contains("secrets of second factors were sealed for their accounts"))
        await server.stop()
        server = try await Server.start(in: directory)
        #expect(try await AccountBook(server).account("ada").oneTimeSecret == sealed)
        #expect(try !server.errors().contains("secrets of second factors were sealed for their accounts"))
        await server.kill()
    }

    @Test("A restored old secret signs its owner in and is then sealed for the account")
    func atSignIn() async throws {
        let server = try await Server.start(in: directory)
        // A restore keeps the secrets of a snapshot of an earlier version.
        let secret = try await addUnbound("ada", server)
        let browser = Browser(strangerAt: server)
        let form = try Form(of: try await browser.get("/login"), action: "/login")
        let asked = try await browser.post(
            "/login", form.with("username", "ada").with("password", Self.password))
        let bytes = try #require(Base32.decode(secret.base32))
        var answer: Answer, step: Int
        repeat {
            step = OneTimeCode.step(at: Date())
            let code = String(decoding: OneTimeCode.code(of: bytes, step: step), as: UTF8.self)
            answer = try await browser.post("/login", try Form(of: asked, action: "/login").with("code", code))
        } while answer.status == 422 && OneTimeCode.step(at: Date()) > step + 1
        #expect(answer.status == 303)
        try await expectBound("ada", secret, server)
        await server.kill()
    }

    /// Adds an account as an earlier version stored it.
    private func addUnbound(_ name: String, _ server: Server) async throws -> OneTimeSecret {
        let keys = try KeyRing(directory: server.data + "/keys")
        let account = try await AccountBook(server).add(name, password: Self.password).id.uuid
        let secret = try SealedOneTimePasswords(keys: keys).makeSecret(for: account, in: UUID(), at: Date())
        let sealed = try secret.unbound(keys: keys)
        try await AccountBook(server).use {
            try await $0.setSecondFactor(sealed, step: 0, recoveryHashes: [], of: account, by: "test")
        }
        return secret
    }

    @discardableResult
    private func expectBound(_ name: String, _ secret: OneTimeSecret, _ server: Server) async throws -> String {
        let account = try await AccountBook(server).account(name)
        let sealed = try #require(account.oneTimeSecret)
        let factor = SealedOneTimePasswords(keys: try KeyRing(directory: server.data + "/keys"))
        #expect(try factor.resealed(sealed, of: account.id.uuid) == nil)
        #expect(factor.secret(in: sealed, of: account.id.uuid) == Base32.decode(secret.base32))
        #expect(factor.secret(in: sealed, of: UUID()) == nil)
        return sealed
    }
}
