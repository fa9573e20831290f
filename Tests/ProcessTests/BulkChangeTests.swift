import Foundation
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Deletes and updates of many records beside a running server")
    struct BulkChangeTests {
        /// Imports more animals than a delete removes at once.
        private static func fill(_ server: Server) async throws {
            let lines = (0..<2100).map { "Herd \($0),\($0.isMultiple(of: 3) ? "carnivorous" : "omnivorous")\r\n" }
            let file = server.directory.path("herd.csv")
            try Data(("name,diet\r\n" + lines.joined() + "Kea,herbivorous\r\n").utf8).write(to: URL(filePath: file))
            let run = try await server.run("import", "Animal", file)
            #expect(run.exitCode == 0, "\(run.errors)")
        }

        private static func names(_ server: Server, _ condition: String = "1") throws -> Int {
            let rows = try StoreFile(server.directory).rows("SELECT count(*) FROM Animal WHERE \(condition)")
            return try #require(rows.first?.first.flatMap { Int($0) })
        }

        @Test("A large delete is one commit through the server, and its undo restores everything")
        func delete() async throws {
            try await Server.use { server in
                try await Self.fill(server)
                let run = try await server.run("delete", "Animal", "--query", "q=Herd", "--yes", "--json")
                #expect(run.exitCode == 0 && run.errors.contains("Deleted 2,100 animals."), "\(run.errors)")
                #expect(try Self.names(server) == 1)
                let commit = try #require(run.output.firstMatch(of: /"commit":([0-9]+)/)?.output.1)
                let undo = try await server.run("undo", String(commit), "--yes")
                #expect(undo.exitCode == 0, "\(undo.errors)")
                try await eventually("the undo ended") { try LongChangeProgress(StoreFile(server.directory)) == nil }
                #expect(try Self.names(server) == 2101)
                let status = try await server.run("status")
                #expect(status.exitCode == 0 && !status.output.contains("long change"), "\(status.output)")
            }
        }

        @Test("An update changes only the records of its query, and one undo takes all of it back")
        func update() async throws {
            try await Server.use { server in
                try await Self.fill(server)
                let run = try await server.run(
                    "update", "Animal", "--query", "filter.diet=omnivorous", "--set", "diet=herbivorous", "--yes",
                    "--json")
                #expect(run.exitCode == 0 && run.errors.contains("Changed 1,400 animals."), "\(run.errors)")
                #expect(try Self.names(server, "diet = 'herbivorous'") == 1401)
                let page = try await Browser(server).get("/admin/activity")
                #expect(page.status == 200 && page.body.contains("Changed 1,400 animals by a command"))
                let undo = try #require(run.output.firstMatch(of: /"undo":"([^"]+)"/)?.output.1)
                #expect(try await server.run("undo", String(undo), "--yes").exitCode == 0)
                #expect(try Self.names(server, "diet = 'omnivorous'") == 1400)
            }
        }
    }
}
