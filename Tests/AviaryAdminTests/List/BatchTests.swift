import AviaryDomain
import Foundation
import Testing

@Suite("Batch operations on all records of a list", .server)
struct BatchTests {
    private func fields(_ name: String, _ csrf: String) -> Form {
        Form(["csrf": csrf, "do": "delete", "all": "1", "return": "q=\(name)", "name": "animals"])
    }

    @Test("A batch deletes nothing until the records' name is typed, and a GET request deletes nothing")
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

    @Test("A step deletes the records that matched when it began and redirects to a page that can be reloaded")
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

    @Test("Only the person who ran a batch of one commit can undo it from the page that reports it")
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
            later.body.contains("Deleted 3 animals. Everything has been undone since then.")
                && !later.body.contains("/admin/undo/"))
        #expect(try await !Browser(.shared, as: "passer-by").get(done).body.contains("undone"))
    }

    @Test("Only the person who ran a batch of several commits can undo them together")
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
        #expect(later.body.contains("Everything has been undone since then.") && !later.body.contains("Undo all"))
    }

    @Test("An undo with an invalid or unknown series does not undo the commit")
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

    @Test("A batch whose commits are not all in the history links to the activity page instead of undoing")
    func manyParts() async throws {
        let browser = Browser(try .shared)
        let done =
            "/admin/animals/batch?do=delete&all=1&return=q%3Dnobody&until=\(UUID.version7().canonicalText)&done=1200&parts=3"
        let page = try await browser.get(done)
        #expect(page.body.contains(#"href="/admin/activity?model=animals&amp;person="#))
        #expect(!page.body.contains("/admin/undo/"))
    }

    @Test("A question about records that no longer match leads back to the list, which offers no deletion")
    func nothingMatches() async throws {
        let browser = Browser(try .shared)
        let question = try await browser.get("/admin/animals/batch?do=delete&all=1&return=q%3Dnobody")
        #expect(question.status == 303)
        #expect(question.location == "/admin/animals?q=nobody")
        let list = try await browser.get(try #require(question.location))
        #expect(list.body.contains("No animals match"))
        #expect(!list.body.contains("batch?do=delete"))
    }

    @Test("Records that were created after the confirmation are not deleted")
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
        "A batch with an unreadable list address is rejected and deletes nothing",
        arguments: ["filter.diet=x", "filter.wings=1", "sort=wings", "%ZZ"])
    func unreadable(text: String) async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Safe from batches")
        var form = fields("", try await browser.token())
        form["return"] = text
        #expect((400...404).contains(try await browser.post("/admin/animals/batch", form).status))
        #expect(try await browser.exists("animals", id))
    }

    @Test("A batch without selected records is rejected")
    func nothing() async throws {
        let browser = Browser(try .shared)
        try await browser.addAnimal("Not ticked")
        var form = fields("not ticked", try await browser.token())
        form["all"] = nil
        #expect(try await browser.post("/admin/animals/batch", form).status == 400)
        #expect(try await browser.get("/admin/animals/batch?do=delete&return=q%3Dnot").status == 400)
        #expect(try await browser.rows(named: "Not ticked") == 1)
    }

    @Test("An unknown batch operation answers 404", arguments: ["", "feed", "delete "])
    func unknown(operation: String) async throws {
        let browser = Browser(try .shared)
        var form = fields("x", try await browser.token())
        form["do"] = operation
        #expect(try await browser.post("/admin/animals/batch", form).status == 404)
    }
}
