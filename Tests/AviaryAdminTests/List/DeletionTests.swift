import Foundation
import Testing

@Suite("Deleting records", .server)
struct DeletionTests {
    struct Deleted: Decodable { let deleted: [String]; let message: String; let counts: [String: Int] }
    struct Asked: Decodable {
        struct Question: Decodable { let title: String; let lines: [String]; let confirm: String; let allow: Int }
        let question: Question
    }
    struct Refused: Decodable { let error: String }

    @Test("A script gets the deleted identifiers as JSON")
    func json() async throws {
        let browser = Browser(try .shared)
        let ids = [try await browser.addAnimal("Gone 1"), try await browser.addAnimal("Gone 2")]
        let answer = try await browser.delete("animals", ids)
        #expect(answer.status == 200)
        #expect(answer.contentType == "application/json")
        let deleted = try answer.json(Deleted.self)
        #expect(deleted.deleted == ids)
        #expect(deleted.message == "Deleted 2 animals")
        // A deletion can affect other models, whose numbers the page shows as well.
        #expect(deleted.counts.keys.sorted() == ["/admin/animal-categories", "/admin/animals", "/admin/friends"])
        for id in ids { #expect(try await !browser.exists("animals", id)) }
    }

    @Test("A form redirects to the same part of the list")
    func form() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Gone by form")
        let form = Form(["csrf": try await browser.token(), "id": id, "return": "sort=-name"])
        let answer = try await browser.post("/admin/animals/delete", form)
        #expect(answer.status == 303)
        #expect(answer.location?.hasPrefix("/admin/animals?sort=-name&did=") == true)
        #expect(try await !browser.exists("animals", id))
    }

    @Test("Deleting records with dependents asks first and deletes nothing")
    func question() async throws {
        let browser = Browser(try .shared)
        let category = try await category("Asked", of: 3, browser)
        let answer = try await browser.delete("animal-categories", [category])
        #expect(answer.status == 409)
        let question = try answer.json(Asked.self).question
        #expect(question.title == "Delete 1 animal category?")
        #expect(question.lines == ["3 animals that belong to “Asked” will be deleted too."])
        #expect(question.confirm == "Delete all 4")
        #expect(question.allow == 3)
        #expect(try await browser.exists("animal-categories", category))
        #expect(try await browser.rows(named: "Asked 0") == 1)
    }

    @Test("The confirmed deletion deletes the records and their dependents")
    func allowed() async throws {
        let browser = Browser(try .shared)
        let category = try await category("Allowed", of: 2, browser)
        let changeSet = UUID().uuidString.lowercased()
        #expect(try await browser.delete("animal-categories", [category], changeSet: changeSet).status == 409)
        let answer = try await browser.delete("animal-categories", [category], changeSet: changeSet, allow: 2)
        #expect(answer.status == 200)
        #expect(try answer.json(Deleted.self).message == "Deleted 2 animals and “Allowed”")
        #expect(try await !browser.exists("animal-categories", category))
        #expect(try await browser.rows(named: "Allowed 0") == 0)
    }

    @Test("A deletion of more dependents than confirmed asks again")
    func grown() async throws {
        let browser = Browser(try .shared)
        let category = try await category("Grown", of: 2, browser)
        let answer = try await browser.delete("animal-categories", [category], allow: 1)
        #expect(answer.status == 409)
        #expect(try answer.json(Asked.self).question.allow == 2)
        #expect(try await browser.rows(named: "Grown 0") == 1)
    }

    @Test("The question page has a form that works without a script")
    func page() async throws {
        let browser = Browser(try .shared)
        let category = try await category("Paged", of: 2, browser)
        let page = try await browser.get("/admin/animal-categories/delete?id=\(category)")
        #expect(page.status == 200)
        #expect(page.body.contains("2 animals that belong to “Paged” will be deleted too."))
        let hidden = page.source.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
        var form = Form()
        for field in hidden { form.add(String(field.1), Markup.unescaped(field.2)) }
        #expect(try await browser.post("/admin/animal-categories/delete", form).status == 303)
        #expect(try await !browser.exists("animal-categories", category))
    }

    @Test("Cancel returns to the record's sheet if the question was opened there, and otherwise to the list")
    func cancelled() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Asked in its sheet")
        let sheet = try await browser.get("/admin/animals/\(id)?sort=-name")
        let link = try #require(
            sheet.source.firstMatch(of: /value="leave (\/admin\/animals\/delete[^"]*sheet=1[^"]*)"/).map {
                Markup.unescaped($0.1)
            })
        let question = try await browser.get(link)
        #expect(question.source.contains(#"<a class="button" href="/admin/animals/\#(id)?sort=-name">Cancel</a>"#))
        let other = try await browser.get("/admin/animals/delete?id=\(id)&return=sort%3D-name")
        #expect(other.body.contains(#"<a class="button" href="/admin/animals?sort=-name">Cancel</a>"#))
    }

    @Test("A repeated question still returns to the sheet")
    func cancelledAgain() async throws {
        let browser = Browser(try .shared)
        let category = try await category("Asked again", of: 1, browser)
        let page = try await browser.get("/admin/animal-categories/delete?id=\(category)&sheet=1")
        let form = try Form(of: page, action: "/admin/animal-categories/delete").with("csrf", try await browser.token())
        let again = try await browser.post("/admin/animal-categories/delete", form.with("allow", "0"))
        #expect(again.source.contains(#"<a class="button" href="/admin/animal-categories/\#(category)">Cancel</a>"#))
    }

    @Test("A repeated deletion with the same change set has the same answer")
    func twice() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Deleted twice")
        let changeSet = UUID().uuidString.lowercased()
        let first = try await browser.delete("animals", [id], changeSet: changeSet)
        let second = try await browser.delete("animals", [id], changeSet: changeSet)
        #expect(first.status == 200 && second.status == 200)
        #expect(try first.json(Deleted.self).deleted == second.json(Deleted.self).deleted)
    }

    @Test("A change set identifier that is reused for other records answers 409 and deletes nothing")
    func reused() async throws {
        let browser = Browser(try .shared)
        let (one, two) = (try await browser.addAnimal("Used"), try await browser.addAnimal("Reused"))
        let changeSet = UUID().uuidString.lowercased()
        _ = try await browser.delete("animals", [one], changeSet: changeSet)
        let answer = try await browser.delete("animals", [two], changeSet: changeSet)
        #expect(answer.status == 409)
        #expect(try answer.json(Refused.self).error.contains("already answered"))
        #expect(try await browser.exists("animals", two))
    }

    @Test("A record of another model is not deleted through this model's address")
    func otherModel() async throws {
        let browser = Browser(try .shared)
        let category = try await browser.addCategory("Not an animal")
        _ = try await browser.delete("animals", [category])
        #expect(try await browser.exists("animal-categories", category))
    }

    private func category(_ name: String, of count: Int, _ browser: Browser) async throws -> String {
        let id = try await browser.addCategory(name)
        for index in 0..<count { try await browser.addAnimal("\(name) \(index)", category: id) }
        return id
    }
}
