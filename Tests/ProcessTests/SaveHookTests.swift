import Foundation
import Testing

extension ServedApplications {
    @Suite("Save hooks")
    struct SaveHookTests {
        /// Returns the lines that the hooks after a save wrote.
        private func bell(_ server: Server) throws -> [String] {
            try String(contentsOfFile: server.directory.path("bell"), encoding: .utf8).split(separator: "\n").map(
                String.init)
        }

        private func use(_ body: (Server) async throws -> Void) async throws {
            try await TestDirectory.use { directory in
                try Data().write(to: URL(filePath: directory.path("bell")))
                try await body(try await Server.start(.extendedZoo, in: directory))
            }
        }

        @Test("A hook before a save can change the record, and a hook after it runs once per stored change")
        func changes() async throws {
            try await use { server in
                let browser = Browser(server)
                let form = try await browser.newAnimal("  Okapi ")
                #expect(try await browser.post("/admin/animals", form).status == 303)
                let id = try #require(form["id"])
                #expect(try StoreFile(server.directory).animals() == [id: "Okapi"])
                #expect(try await browser.post("/admin/animals", form).status == 303)
                let sheet = try Form(sheetOf: try await browser.get("/admin/animals/\(id)"))
                #expect(
                    try await browser.post(
                        "/admin/animals/\(id)", sheet.with("name", " Giraffe ").with("diet", "herbivorous")
                    ).status == 303)
                #expect(try StoreFile(server.directory).animals() == [id: "Giraffe"])
                // The earlier commits are those of the account and its session.
                let rung = try bell(server).map { $0.replacing(/\ in \d+$/, with: "") }
                #expect(rung == ["new Okapi by local", "changed Giraffe by local"])
            }
        }

        @Test("A hook that rejects a record shows its message at the field, and nothing is stored")
        func refuses() async throws {
            try await use { server in
                let browser = Browser(server)
                let answer = try await browser.post("/admin/animals", try await browser.newAnimal("Dodo"))
                #expect(answer.status == 422)
                #expect(answer.body.contains("The dodo is extinct."))
                #expect(answer.body.contains(#"value="Dodo""#))
                #expect(try StoreFile(server.directory).animals().isEmpty)
                #expect(try bell(server) == [])
            }
        }

        @Test("A failing hook before a save stores nothing, and a failing hook after it keeps the record")
        func fails() async throws {
            try await use { server in
                let browser = Browser(server)
                let crash = try await browser.post("/admin/animals", try await browser.newAnimal("Crash"))
                #expect(crash.status == 503)
                #expect(crash.body.contains(#"value="Crash""#))
                #expect(try await browser.post("/admin/animals", try await browser.newAnimal("Late")).status == 303)
                #expect(try Array(StoreFile(server.directory).animals().values) == ["Late"])
                #expect(try server.errors().contains("a hook after a save failed"))
                #expect(try !server.errors().contains("Crash"))
            }
        }

        @Test("A repeated save is stored once, even if a hook changes the record differently each time")
        func repeats() async throws {
            try await use { server in
                let browser = Browser(server)
                let form = try await browser.newAnimal("Stamped")
                #expect(try await browser.post("/admin/animals", form).status == 303)
                let stored = try StoreFile(server.directory).animals()
                #expect(try await browser.post("/admin/animals", form).status == 303)
                #expect(try StoreFile(server.directory).animals() == stored)
                #expect(try bell(server).count == 1)
                // A save with another text is still distinguished from it.
                #expect(try await browser.post("/admin/animals", form.with("name", "Stamped otherwise")).status == 409)
            }
        }

        @Test("An import runs the hooks")
        func imports() async throws {
            try await use { server in
                let file = server.directory.path("animals.csv")
                try Data("name\n Okapi \nLion\n".utf8).write(to: URL(filePath: file))
                let run = try await Program.extendedZoo.run(
                    ["import", "Animal", file, "--data", server.directory.data], in: server.directory)
                #expect(run.exitCode == 0, "\(run.errors)")
                #expect(try StoreFile(server.directory).animals().values.sorted() == ["Lion", "Okapi"])
                #expect(try bell(server).count == 2)
            }
        }
    }
}
