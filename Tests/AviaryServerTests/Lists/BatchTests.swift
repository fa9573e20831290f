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
        _ = try await browser.get("/admin/animals/batch?do=delete&all=1&return=q%3DUnnamed%20batch&until=\(UUID.version7().canonicalText)")
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
            #expect(try await browser.get(try #require(answer.location)).body.contains("3 animals deleted."))
        }
        // The same form once more is about the same records.
        #expect(try await browser.post("/admin/animals/batch", form).location == answer.location)
        #expect(try await browser.rows(named: "Beside the batch") == 1)
        #expect(try await browser.rows(named: "Batch of three 0") == 0)
    }

    @Test("What was begun after somebody said yes is not looked at")
    func later() async throws {
        let browser = Browser(try .shared)
        let until = UUID.version7().canonicalText
        try await browser.addAnimal("Later than the batch")
        var form = fields("later than the batch", try await browser.token())
        form["until"] = until
        let answer = try await browser.post("/admin/animals/batch", form)
        #expect(try await browser.get(try #require(answer.location)).body.contains("0 animals deleted."))
        #expect(try await browser.rows(named: "Later than the batch") == 1)
    }

    @Test("A list that cannot be read is never taken for a longer one", arguments: ["filter.diet=x", "filter.wings=1", "sort=wings", "%ZZ"])
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
