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
                let status = try await server.status()
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

        /// Returns the form of the question before all animals of the herd are deleted, filled in.
        private static func question(_ browser: Browser) async throws -> Form {
            let page = try await browser.get("/admin/animals/batch?do=delete&all=1&return=q%3DHerd")
            #expect(page.body.contains("Delete all 2,100 animals that match?"), "\(page.body)")
            let changeSet = try #require(page.source.firstMatch(of: /name="changeset" value="([^"]*)"/)?.output.1)
            let allow = try #require(page.source.firstMatch(of: /name="allow" value="([^"]*)"/)?.output.1)
            return Form([
                "csrf": try await browser.token(), "do": "delete", "all": "1", "return": "q=Herd", "name": "animals",
                "changeset": String(changeSet), "allow": String(allow),
            ])
        }

        @Test("A delete of all records of a list is one commit with the true number, and one undo restores everything")
        func list() async throws {
            try await Server.use { server in
                try await Self.fill(server)
                let browser = Browser(server)
                let answer = try await browser.post("/admin/animals/batch", try await Self.question(browser))
                let address = try #require(answer.header("Location").first)
                var page = try await browser.get(address)
                try await eventually("the animals were deleted") {
                    page = try await browser.get(address)
                    return page.body.contains("Animals deleted")
                }
                #expect(page.body.contains("Deleted 2,100 animals."), "\(page.body)")
                let list = try await browser.get("/admin/animals")
                #expect(list.rows(named: "Kea") == 1 && !list.body.contains("Herd "))
                let activity = try await browser.get("/admin/activity?model=animals")
                // The notice of the change under way continues the sentence.
                #expect(activity.source.split(separator: "Deleted 2,100 animals<").count == 2, "one entry")
                let undo = try #require(page.source.firstMatch(of: /action="(\/admin\/undo\/[0-9]+)"/)?.output.1)
                let undone = try await browser.post(
                    String(undo), Form(["csrf": try await browser.token(), "return": "/admin/animals"]))
                let back = try await browser.get(try #require(undone.header("Location").first))
                #expect(back.body.contains("Restored 2,100 animals"), "\(back.body)")
                try await eventually("the undo ended") { try LongChangeProgress(StoreFile(server.directory)) == nil }
                #expect(try Self.names(server) == 2101)
            }
        }

        @Test("A delete of all records of a list is stopped where it was begun, and nothing of it is done")
        func stop() async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory, workers: 1)
                try await Self.fill(server)
                let browser = Browser(server), store = try await server.store()
                let form = try await Self.question(browser)
                store.send(SIGSTOP)
                try await eventually("the store was stopped") { ProcessTable.entry(store.pid)?.isStopped == true }
                let address = try #require(
                    try await browser.post("/admin/animals/batch", form).header("Location").first)
                let progress = try await browser.get(address)
                #expect(progress.body.contains("Deleting animals…") && progress.header("Refresh") == ["2"])
                #expect(progress.source.contains(#"name="stop" value="1""#))
                let stop = try await browser.post("/admin/animals/batch", form.with("stop", "1"))
                #expect(stop.header("Location") == [address.replacing(/&since=[0-9]+/, with: "")])
                #expect(try await browser.get(address).body.contains("Stopping…"))
                // A worker that did not begin the delete does not claim either that it has ended.
                let unknown = address.replacing(/changeset=[^&]+/, with: "changeset=\(UUID().uuidString.lowercased())")
                    .replacing(/&since=[0-9]+/, with: "")
                let unconfirmed = try await browser.get(unknown)
                #expect(unconfirmed.body.contains("Couldn’t confirm the delete yet"), "\(unconfirmed.body)")
                #expect(unconfirmed.header("Refresh") == ["2"])
                #expect(unconfirmed.source.contains(#"name="stop" value="1""#))
                store.send(SIGCONT)
                try await eventually("the delete was stopped") {
                    try await browser.get(address).body.contains("Delete stopped")
                }
                try await eventually("nothing is left") { try LongChangeProgress(StoreFile(server.directory)) == nil }
                #expect(try Self.names(server) == 2101)
                let activity = try await browser.get("/admin/activity?model=animals")
                #expect(!activity.body.contains("Deleted 2,100 animals"))
            }
        }

        @Test("A delete that was stopped before its form arrives does not begin")
        func stoppedEarly() async throws {
            try await Server.use { server in
                try await Self.fill(server)
                let browser = Browser(server)
                let form = try await Self.question(browser)
                var address = ""
                try await eventually("the delete was stopped") {
                    let stop = try await browser.post("/admin/animals/batch", form.with("stop", "1"))
                    address = stop.header("Location").first?.replacing(/&stop=[0-9]+/, with: "") ?? ""
                    return try await browser.get(address).body.contains("Delete stopped")
                }
                _ = try await browser.post("/admin/animals/batch", form)
                let page = try await browser.get(address)
                // A stop that could not be stored is offered again, by a worker that does not know the delete.
                let other = address.replacing(/changeset=[^&]+/, with: "changeset=\(UUID().uuidString.lowercased())")
                // The address has the time of the server's clock, and the offer ends after half a minute.
                try await eventually("it is offered") {
                    let failed = try await browser.get(other + "&stop=\(Int(Date().timeIntervalSince1970))")
                    return failed.body.contains("Couldn’t stop the delete") && failed.header("Refresh") == ["2"]
                        && failed.source.contains(#"name="stop" value="1""#)
                }
                try await eventually("it may be continued") {
                    try await browser.get(other + "&stop=1").body.contains("This delete isn’t under way any more")
                }
                #expect(page.body.contains("Delete stopped") && page.body.contains("Nothing was deleted."))
                #expect(try Self.names(server) == 2101)
            }
        }
    }
}
