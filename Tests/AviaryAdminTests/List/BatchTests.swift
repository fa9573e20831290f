import AviaryDomain
import Foundation
import Testing

@Suite("All that a list finds is deleted a part after the other", .server)
struct BatchTests {
    private func fields(_ name: String, _ csrf: String) -> Form {
        Form(["csrf": csrf, "do": "delete", "all": "1", "return": "q=\(name)", "name": "animals"])
    }

    @Test("Nothing is deleted before the name of the records is written, and nothing by a page that is only looked at")
    func name() async throws {
        let browser = Browser(try .shared)
        try await browser.addAnimal("Unnamed batch")
        let question = try await browser.get("/admin/animals/batch?do=delete&all=1&return=q%3DUnnamed%20batch")
        #expect(question.status == 200)
        #expect(question.body.contains("Delete 1 animal that matches?"))
        var form = fields("Unnamed batch", try await browser.token())
        for name in ["", "animal", "animals!"] {
            form["name"] = name
            #expect(try await browser.post("/admin/animals/batch", form).status == 422)
        }
        _ = try await browser.get(
            "/admin/animals/batch?do=delete&all=1&return=q%3DUnnamed%20batch&until=\(UUID.version7().canonicalText)")
        #expect(try await browser.rows(named: "Unnamed batch") == 1)
    }

    @Test("A step deletes what matched when it was begun, leads to a page that can be reloaded, and leaves the rest")
    func step() async throws {
        let browser = Browser(try .shared)
        for number in 0..<3 { try await browser.addAnimal("Batch of three \(number)") }
        try await browser.addAnimal("Beside the batch")
        let begun = try await browser.post("/admin/animals/batch", fields("batch of three", try await browser.token()))
        let form = try Form(of: try await browser.get(try #require(begun.location)), action: "/admin/animals/batch")
        let answer = try await browser.post("/admin/animals/batch", form)
        #expect(answer.status == 303)
        for _ in 0..<2 {
            #expect(try await browser.get(try #require(answer.location)).body.contains("Deleted 3 animals."))
        }
        // The same form concerns the same records again.
        #expect(try await browser.post("/admin/animals/batch", form).location == answer.location)
        #expect(try await browser.rows(named: "Beside the batch") == 1)
        #expect(try await browser.rows(named: "Batch of three 0") == 0)
    }

    @Test("What one commit did is taken back from the page that says it is done, by whoever did it, and by nobody else")
    func undoneCommits() async throws {
        let browser = Browser(try .shared)
        for number in 0..<3 { try await browser.addAnimal("Batch to take back \(number)") }
        let begun = try await browser.post(
            "/admin/animals/batch", fields("batch to take back", try await browser.token()))
        let form = try Form(of: try await browser.get(try #require(begun.location)), action: "/admin/animals/batch")
        let done = try #require(try await browser.post("/admin/animals/batch", form).location)
        let page = try await browser.get(done)
        let action = String(try #require(page.body.firstMatch(of: /action="(\/admin\/undo\/\d+)"/)).1)
        #expect(try await !Browser(.shared, as: "passer-by").get(done).body.contains("/admin/undo/"))
        let undone = try await browser.post(action, try Form(of: page, action: action))
        #expect(try await browser.get(try #require(undone.location)).body.contains("Restored 3 animals"))
        #expect(
            undone.location?.hasPrefix("/admin/animals?q=batch%20to%20take%20back&undone=") == true,
            "\(undone.location ?? "")")
        #expect(try await browser.rows(named: "Batch to take back 0") == 1)
        let later = try await browser.get(done)
        #expect(
            later.body.contains("Deleted 3 animals. Everything was undone since.")
                && !later.body.contains("/admin/undo/"))
        #expect(try await !Browser(.shared, as: "passer-by").get(done).body.contains("undone"))
    }

    @Test("What several commits did is taken back at once, by whoever did it, and by nobody else")
    func partsTakenBack() async throws {
        let browser = Browser(try .shared)
        for number in 0..<3 { try await browser.addAnimal("Batch in parts \(number)") }
        let begun = try await browser.post("/admin/animals/batch", fields("batch in parts", try await browser.token()))
        var place = try #require(begun.location) + "&size=1"
        while case let page = try await browser.get(place), page.body.contains("data-batch-form") {
            place = try #require(
                try await browser.post("/admin/animals/batch", try Form(of: page, action: "/admin/animals/batch"))
                    .location)
        }
        let page = try await browser.get(place)
        #expect(page.body.contains("Undo all"))
        #expect(try await browser.rows(named: "Batch in parts 0") == 0)
        #expect(try await !Browser(.shared, as: "passer-by").get(place).body.contains("/admin/undo/"))
        for _ in 0..<2 {
            var undone = page
            // A busy machine needs more than one request.
            repeat {
                let action = String(try #require(undone.body.firstMatch(of: /action="(\/admin\/undo\/\d+)"/)).1)
                undone = try await browser.post(action, try Form(of: undone, action: action))
            } while undone.body.contains(" so far.")
            #expect(undone.status == 200 && undone.body.contains("Undid 2 steps."), "\(undone.body)")
        }
        for number in 0..<3 { #expect(try await browser.rows(named: "Batch in parts \(number)") == 1) }
        let later = try await browser.get(place)
        #expect(later.body.contains("Everything was undone since.") && !later.body.contains("Undo all"))
    }

    @Test("Whoever names a series that is none takes nothing back")
    func noSeries() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Not of a series")
        let done = try await browser.post(
            "/admin/animals/delete", Form(["csrf": try await browser.token(), "id": id, "allow": "0"]))
        let page = try await browser.get(try #require(done.location))
        let action = String(try #require(page.body.firstMatch(of: /action="(\/admin\/undo\/\d+)"/)).1)
        let form = Form(["csrf": try await browser.token()])
        #expect(try await browser.post(action, form.with("series", "x")).status == 400)
        _ = try await browser.post(action, form.with("series", UUID.version7().canonicalText))
        #expect(try await !browser.exists("animals", id))
    }

    @Test("What several commits did of which the history does not have all is taken back under Activity")
    func manyParts() async throws {
        let browser = Browser(try .shared)
        let done =
            "/admin/animals/batch?do=delete&all=1&return=q%3Dnobody&until=\(UUID.version7().canonicalText)&done=1200&parts=3"
        let page = try await browser.get(done)
        #expect(page.body.contains(#"href="/admin/activity?model=animals&amp;person="#))
        #expect(!page.body.contains("/admin/undo/"))
    }

    @Test("What was begun after somebody said yes is not looked at")
    func later() async throws {
        let browser = Browser(try .shared)
        let until = UUID.version7().canonicalText
        try await browser.addAnimal("Later than the batch")
        var form = fields("later than the batch", try await browser.token())
        form["until"] = until
        let answer = try await browser.post("/admin/animals/batch", form)
        #expect(try await browser.get(try #require(answer.location)).body.contains("Deleted 0 animals."))
        #expect(try await browser.rows(named: "Later than the batch") == 1)
    }

    @Test(
        "A list that cannot be read is never taken for a longer one",
        arguments: ["filter.diet=x", "filter.wings=1", "sort=wings", "%ZZ"])
    func unreadable(text: String) async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Safe from batches")
        var form = fields("", try await browser.token())
        form["return"] = text
        #expect((400...404).contains(try await browser.post("/admin/animals/batch", form).status))
        #expect(try await browser.exists("animals", id))
    }

    @Test("Nothing ticked never means everything")
    func nothing() async throws {
        let browser = Browser(try .shared)
        try await browser.addAnimal("Not ticked")
        var form = fields("not ticked", try await browser.token())
        form["all"] = nil
        #expect(try await browser.post("/admin/animals/batch", form).status == 400)
        #expect(try await browser.get("/admin/animals/batch?do=delete&return=q%3Dnot").status == 400)
        #expect(try await browser.rows(named: "Not ticked") == 1)
    }

    @Test("What is to be done must be something that there is", arguments: ["", "feed", "delete "])
    func unknown(operation: String) async throws {
        let browser = Browser(try .shared)
        var form = fields("x", try await browser.token())
        form["do"] = operation
        #expect(try await browser.post("/admin/animals/batch", form).status == 404)
    }
}
