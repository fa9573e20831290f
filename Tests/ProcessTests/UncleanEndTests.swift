import Foundation
import TestSupport
import Testing

extension FailingStores {
    @Suite("File check after an unclean shutdown")
    struct UncleanEndTests {
        /// The output of `status --json` about the check.
        private struct Report: Decodable {
            struct Store: Decodable {
                struct FileCheck: Decodable {
                    let state: String
                    let problems: [String]
                }

                let fileCheck: FileCheck?
            }

            let store: Store
        }

        private func check(_ server: Server) async throws -> Report.Store.FileCheck? {
            try await server.status("--json").json(Report.self).store.fileCheck
        }

        @Test("After the store is killed, its file is checked while pages are served, and the result is reported")
        func killed() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                try await browser.addAnimal("Okapi")
                #expect(try await check(server)?.state == "notNeeded")
                let form = try await browser.newAnimal("Emu")
                try await server.store().send(SIGKILL)
                try await browser.postThroughKills("/admin/animals", form)
                try await eventually("the check ended") { try await check(server)?.state == "ok" }
                #expect(try await check(server)?.problems == [])
                #expect(try await server.status().output.contains("file check  ok"))
                let log = try server.errors()
                #expect(log.contains("check of the store's file: running"))
                #expect(log.contains("check of the store's file: ok"))
            }
        }

        @Test("A graceful shutdown makes a file check unnecessary")
        func ended() async throws {
            try await TestDirectory.use { directory in
                let first = try await Server.start(in: directory)
                try await Browser(first).addAnimal("Okapi")
                #expect(await first.stop() == 0)
                let second = try await Server.start(in: directory)
                #expect(try await check(second)?.state == "notNeeded")
                #expect(await second.stop() == 0)
            }
        }

        @Test("Every worker immediately shows what another worker stored")
        func readYourWrites() async throws {
            try await Server.use { server in
                for number in 0..<5 {
                    let id = try await Browser(server).addAnimal("Animal \(number)")
                    // Each browser has a connection of its own, which the system gives to any worker.
                    for _ in 0..<6 {
                        #expect(try await Browser(server).get("/admin/animals/\(id)").status == 200)
                    }
                }
            }
        }
    }
}
