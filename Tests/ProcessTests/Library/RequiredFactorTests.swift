import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

extension ServedApplications {
    /// The role treasurer of the library requires a second factor.
    @Suite("Required second factor")
    struct RequiredFactorTests {
        private static let setUp = "/admin/account/second-factor"

        @Test("An account without its required second factor reaches only the form that sets one up")
        func required() async throws {
            try await Librarian.use { library in
                let browser = Browser(library.server, role: "treasurer")
                for path in ["/admin", "/admin/genres", "/admin/genres/new", "/admin/account", "/catalogue"] {
                    let answer = try await browser.get(path)
                    #expect(answer.status == 303 && answer.location == Self.setUp, "\(path)")
                }
                let page = try await browser.get(Self.setUp)
                #expect(page.status == 200 && page.source.contains("Your role requires two-factor authentication."))
                let token = try #require(page.csrf)
                let genre = Form(["csrf": token, "id": UUID.version7().canonicalText, "name": "Poetry"])
                let refused = try await browser.post("/admin/genres", genre)
                #expect(
                    refused.status == 403 && refused.source.contains("Your role requires two-factor authentication"))
                #expect(try library.count("Genre") == 0)
                let script = try await browser.send(
                    "GET", "/admin/genres", headers: ["X-Requested-With": "fetch"], body: nil)
                #expect(script.status == 403)

                try await Self.giveFactor(to: "treasurer", in: library.server.directory.data)
                #expect(try await browser.get("/admin/genres").status == 200)
                #expect(try await browser.get("/catalogue").source == "treasurer")
            }
        }

        @Test("A public route treats the account as anonymous, and signing out works")
        func everyone() async throws {
            try await Librarian.use { library in
                let browser = Browser(library.server, role: "treasurer")
                let token = try #require(try await browser.get(Self.setUp).csrf)
                #expect(try await browser.get("/who").source == "nobody")
                #expect(try await library.browser.get("/who").source == "local")
                let answer = try await browser.post("/logout", Form(["csrf": token]))
                #expect(answer.status == 303 && answer.location == "/login")
            }
        }

        /// Stores a second factor without the form, just as ``SignIn`` creates a session.
        private static func giveFactor(to name: String, in data: String) async throws {
            let connection = try StoreConnection(data: data)
            defer { connection.close() }
            let accounts = try AccountRepository(
                records: { try connection.records(of: $0) }, writer: connection.writer,
                roles: try Roles([Role("treasurer")]))
            let account = try await accounts.existing(try #require(AccountName(name)))
            try await accounts.setSecondFactor(
                "sealed", step: 1, recoveryHashes: [], of: account.id.uuid, by: "test")
        }
    }
}
