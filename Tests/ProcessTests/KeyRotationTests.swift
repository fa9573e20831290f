import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

extension ServedApplications {
    @Suite("Key rotation under a running server")
    struct KeyRotationTests {
        private static let rotations = Explore.times(1, exploring: 2)

        @Test("Sessions, open pages, drafts and second factors remain valid through a rotation in every worker")
        func rotated() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                let open = try await browser.newAnimal("Sent at last")
                _ = try await browser.keep(try await browser.newAnimal("Begun before"))
                let cookies = browser.cookies
                let secret = try await Self.addSecondFactor(in: server)
                let family = try await server.complete()

                let files = KeyFiles(directory: server.directory.data + "/keys")
                for _ in 0..<Self.rotations {
                    let run = try await server.run("keys", "rotate")
                    #expect(run.exitCode == 0, "\(run.errors)")
                    let created = try #require(try files.load().keys.last).id.createdAt
                    // Requests are sent until the new key is the one that seals, however slowly they are answered.
                    try await eventually("the new key is used") {
                        try await Self.expectDraft(browser)
                        try await browser.addAnimal("Added meanwhile")
                        // The pause keeps the animals few enough for one page of the list, however quick the
                        // machine is.
                        try await Task.sleep(for: .milliseconds(300))
                        return created.addingTimeInterval(KeySchedule.acceptance + 1) <= Date()
                    }
                }

                #expect(try await server.complete() == family)
                #expect(try server.errors().contains("a key was left out") == false)
                // The browser got no other cookies: it neither signed in again nor received another draft.
                #expect(browser.cookies == cookies)
                #expect(try await browser.post("/admin/animals", open).status == 303)
                #expect(try await browser.rows(named: "Sent at last") == 1)
                // New seals open under the newest key alone.
                let sheet = try await browser.get("/admin/animals/new")
                #expect(try await browser.keep(try Form(sheetOf: sheet).with("name", "Begun before")).status == 204)
                let keys = try files.load().keys.map(\.id)
                #expect(keys.count == Self.rotations + 1)
                for key in keys.dropLast() { try files.remove(key) }
                try await Self.expectLook(at: files.directory, of: family, in: server, by: browser)
                for _ in 0..<6 { try await Self.expectDraft(browser) }
                #expect(try Self.secret(in: server, opens: secret))
            }
        }

        @Test("Damaged and foreign files among the keys neither end workers nor prevent their start")
        func foreign() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                _ = try await browser.keep(try await browser.newAnimal("Begun before"))
                let family = try await server.complete()
                let keys = server.directory.data + "/keys"
                mkfifo(keys + "/7fffff01.key", 0o600)
                try Data("no key".utf8).write(to: URL(filePath: keys + "/README"))
                try await Self.expectLook(at: keys, of: family, in: server, by: browser)
                for _ in 0..<6 { try await Self.expectDraft(browser) }
                for worker in family.workers { worker.send(SIGKILL) }
                _ = try await server.complete(restarts: 2)
                for _ in 0..<6 { try await Self.expectDraft(browser) }
                #expect(try server.errors().contains("a key was left out"))
            }
        }

        /// Puts half a key among the keys and waits until each worker has reported it.
        ///
        /// By then, the worker has also seen the earlier changes of the keys.
        private static func expectLook(
            at keys: String, of family: Family, in server: Server, by browser: Browser
        ) async throws {
            try Data(count: 7).write(to: URL(filePath: keys + "/7fffff00.key"))
            try await eventually("each worker tells of the half key") {
                try await expectDraft(browser)
                let reported = try server.errors().split(separator: "\n").filter {
                    $0.contains("a key was left out") && $0.contains("7fffff00")
                }
                return family.workers.allSatisfy { worker in reported.contains { $0.contains("[\(worker.pid)]") } }
            }
        }

        private static func expectDraft(_ browser: Browser) async throws {
            let page = try await browser.getAlone("/admin/animals/new")
            #expect(page.status == 200)
            #expect(page.body.contains(#"name="name" value="Begun before""#))
        }

        private static func addSecondFactor(in server: Server) async throws -> OneTimeSecret {
            let connection = try StoreConnection(data: server.directory.data)
            defer { connection.close() }
            let accounts = try AccountRepository(
                records: { try connection.records(of: $0) }, writer: connection.writer, roles: try Roles()
            )
            let account = Account(name: "ada", role: "admin", passwordHash: nil, createdAt: Date())
            let factor = SealedOneTimePasswords(keys: try KeyRing(directory: server.directory.data + "/keys"))
            let secret = try factor.makeSecret(for: account.id.uuid, in: UUID(), at: Date())
            try await accounts.add(account, by: "test")
            try await accounts.setSecondFactor(
                try factor.stored(secret, of: account.id.uuid), step: 0, recoveryHashes: [], of: account.id.uuid,
                by: "test")
            return secret
        }

        /// Returns whether the account's secret is unchanged and sealed under a key that still exists.
        private static func secret(in server: Server, opens secret: OneTimeSecret) throws -> Bool {
            let rows = try StoreFile(server.directory).rows(
                #"SELECT "oneTimeSecret", id FROM "aviary_account" WHERE "name" = 'ada'"#)
            guard let row = rows.first, let account = UUID(uuidString: row[1]) else { return false }
            let keys = try KeyRing(directory: server.directory.data + "/keys")
            return SealedOneTimePasswords(keys: keys).secret(in: row[0], of: account) == Base32.decode(secret.base32)
        }
    }
}
