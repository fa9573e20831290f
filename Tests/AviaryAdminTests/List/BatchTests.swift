import AviaryDomain
import Foundation
import TestSupport
import Testing

@Suite("Operations on all records of a list", .server)
struct BatchTests {
    private func fields(_ name: String, _ csrf: String) -> Form {
        Form(["csrf": csrf, "do": "delete", "all": "1", "return": "q=\(name)", "name": "animals"])
    }

    private func question(_ name: String, _ browser: Browser) async throws -> Form {
        let text = name.replacing(" ", with: "%20")
        let page = try await browser.get("/admin/animals/batch?do=delete&all=1&return=q%3D\(text)")
        return try Form(of: page, action: "/admin/animals/batch").with("name", "animals")
    }

    @Test("A bulk delete deletes nothing until the records' name is typed, and a GET request deletes nothing")
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
        let unknown = "return=q%3DUnnamed%20batch&changeset=\(UUID.version7().canonicalText)"
        try await eventually("the store answers") {
            let page = try await browser.get("/admin/animals/batch?do=delete&all=1&\(unknown)")
            return page.status == 200 && page.body.contains("isn’t under way any more")
        }
        #expect(try await browser.rows(named: "Unnamed batch") == 1)
    }

    @Test("A bulk delete is one commit, and its page can be reloaded")
    func one() async throws {
        let browser = Browser(try .shared)
        for number in 0..<3 { try await browser.addAnimal("Batch of three \(number)") }
        try await browser.addAnimal("Beside the batch")
        let form = try await question("batch of three", browser)
        let answer = try await browser.post("/admin/animals/batch", form)
        #expect(answer.status == 303)
        try await eventually("it is done") {
            try await browser.get(try #require(answer.location)).body.contains("Deleted 3 animals.")
        }
        for _ in 0..<2 {
            let page = try await browser.get(try #require(answer.location))
            #expect(page.body.contains("Deleted 3 animals."), "\(page.body)")
        }
        // The same form concerns the same change set again.
        let again = try await browser.get(try #require(browser.post("/admin/animals/batch", form).location))
        #expect(again.body.contains("Deleted 3 animals."))
        #expect(try await browser.rows(named: "Beside the batch") == 1)
        #expect(try await browser.rows(named: "Batch of three 0") == 0)
        let activity = try await browser.get("/admin/activity?model=animals")
        #expect(activity.body.contains("Deleted 3 animals"))
    }

    @Test("Only the person who deleted can undo it from the page that reports it")
    func undone() async throws {
        let browser = Browser(try .shared)
        for number in 0..<3 { try await browser.addAnimal("Batch to take back \(number)") }
        let form = try await question("batch to take back", browser)
        let done = try #require(try await browser.post("/admin/animals/batch", form).location)
        try await eventually("it is done") { try await browser.get(done).body.contains("/admin/undo/") }
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

    @Test("A stop of a delete that is done shows the result, and one of an unknown delete that nothing was deleted")
    func stop() async throws {
        let browser = Browser(try .shared)
        try await browser.addAnimal("Batch to stop")
        let form = try await question("batch to stop", browser)
        let unknown = try await browser.post("/admin/animals/batch", form.with("stop", "1"))
        #expect(try await browser.get(try #require(unknown.location)).body.contains("Delete stopped"))
        #expect(try await browser.rows(named: "Batch to stop") == 1)
        // The stopped delete is not made any more. Another question is another delete.
        let refused = try await browser.post("/admin/animals/batch", form)
        #expect(try await browser.get(try #require(refused.location)).body.contains("Delete stopped"))
        let other = try await question("batch to stop", browser)
        let done = try #require(try await browser.post("/admin/animals/batch", other).location)
        try await eventually("it is done") { try await browser.get(done).body.contains("/admin/undo/") }
        let late = try await browser.post("/admin/animals/batch", other.with("stop", "1"))
        #expect(try await browser.get(try #require(late.location)).body.contains("/admin/undo/"))
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

    @Test("Records that were created after the question are not deleted")
    func later() async throws {
        let browser = Browser(try .shared)
        let changeSet = UUID.version7().canonicalText
        try await browser.addAnimal("Later than the batch")
        var form = fields("later than the batch", try await browser.token())
        form["changeset"] = changeSet
        var answer = try await browser.post("/admin/animals/batch", form)
        if let progress = answer.location {
            // The search takes longer than the second for which the request waits.
            try await eventually("the search has ended") {
                answer = try await browser.get(progress)
                return answer.status == 409
            }
        }
        #expect(answer.status == 409 && answer.body.contains("No animals match any more. Nothing was deleted."))
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
