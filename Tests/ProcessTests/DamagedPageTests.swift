import Foundation
import TestSupport
import Testing

extension FailingStores {
    @Suite("Damaged pages of the store file")
    struct DamagedPageTests {
        private static let count = 2000

        @Test("Damage to an index affects only its model until the running store rebuilds the index")
        func index() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                let server = try await Server.start(in: directory)
                let family = try await server.complete()
                try Self.damageLastLeaf(of: "aviary_sort.Animal.name", in: directory)
                let browser = Browser(server)
                // The name sorts after all others, so it belongs on that page.
                let refused = try await browser.post("/admin/animals", try await browser.newAnimal("Zebra"))
                #expect(refused.status == 503)
                #expect(refused.body.contains("file is damaged in this place"))
                #expect(try await Self.addCategory("Saved meanwhile", browser) == 303)
                try await eventually("the index was made anew") {
                    try await browser.post("/admin/animals", try await browser.newAnimal("Zebra")).status == 303
                }
                try await eventually("the file counts as whole") { try await server.run("status").exitCode == 0 }
                let after = try await server.complete()
                #expect(after.pids == family.pids && after.restarts == 0)
                let check = try await server.run("check", "--contents")
                #expect(check.exitCode == 0, "\(check.output)\(check.errors)")
                #expect(try StoreFile(directory).animals().count == Self.count + 1)
            }
        }

        @Test("Damage to records affects only their model, and a repair restores them from the history")
        func records() async throws {
            try await TestDirectory.use { directory in
                try await Self.fill(directory)
                let before = try StoreFile(directory).animals()
                let server = try await Server.start(in: directory)
                let family = try await server.complete()
                try Self.damageLastLeaf(of: "Animal", in: directory)
                let browser = Browser(server)
                let refused = try await browser.post("/admin/animals", try await browser.newAnimal("Zebra"))
                #expect(refused.status == 503)
                #expect(try await Self.addCategory("Saved meanwhile", browser) == 303)
                try await eventually("the damage is made known") { try await server.status().exitCode == 1 }
                #expect(try server.errors().contains("DAMAGED"))
                let after = try await server.complete()
                #expect(after.pids == family.pids && after.restarts == 0)
                #expect(await server.stop() == 0)

                let repair = try await server.run("repair")
                #expect(repair.exitCode == 0, "\(repair.output)\(repair.errors)")
                #expect(repair.output.contains("From the history of changes: "), "\(repair.output)")
                let check = try await server.run("check", "--contents")
                #expect(check.exitCode == 0, "\(check.output)\(check.errors)")
                let file = StoreFile(directory)
                #expect(try file.animals() == before)
                #expect(try file.rows(#"SELECT "name" FROM "AnimalCategory""#) == [["Saved meanwhile"]])
                #expect(try file.integrity() == ["ok"])
            }
        }

        private static func fill(_ directory: TestDirectory) async throws {
            let file = directory.path("animals.csv")
            let lines = (0..<count).map { "Animal \(1_000_000 + $0),herbivorous\n" }
            try Data(("name,diet\n" + lines.joined()).utf8).write(to: URL(filePath: file))
            let run = try await Program.zoo.run(["import", "Animal", file, "--data", directory.data], in: directory)
            try #require(run.exitCode == 0, "\(run.errors)")
        }

        private static func addCategory(_ name: String, _ browser: Browser) async throws -> Int {
            let sheet = try Form(sheetOf: try await browser.get("/admin/animal-categories/new?fresh=1"))
            return try await browser.post("/admin/animal-categories", sheet.with("name", name)).status
        }

        /// Overwrites the page with zeros without SQLite, as a failing disk may.
        private static func damageLastLeaf(of owner: String, in directory: TestDirectory) throws {
            let store = StoreFile(directory)
            let rows = try store.rows(
                """
                SELECT pageno, pgsize FROM dbstat WHERE name = '\(owner)' AND pagetype = 'leaf'
                ORDER BY path DESC LIMIT 1
                """)
            let row = try #require(rows.first)
            let page = try #require(UInt64(row[0])), size = try #require(UInt64(row[1]))
            let file = try #require(FileHandle(forUpdatingAtPath: store.path))
            try file.seek(toOffset: (page - 1) * size)
            try file.write(contentsOf: Data(count: Int(size)))
            try file.close()
        }
    }
}
