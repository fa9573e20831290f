import Foundation
import Testing

@Suite("Constraints between records", .server)
struct ReferenceTests {
    @Test("A second category of the same name is rejected, and its text remains")
    func unique() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.addCategory("Only one")
        let form = try await browser.newCategory("Only one")
        let answer = try await browser.post("/admin/animal-categories", form)
        #expect(answer.status == 422)
        #expect(answer.body.contains("Another animal category already has this name. Choose a different one."))
        #expect(answer.body.contains(#"value="Only one""#))
        #expect(try await browser.rows(of: "animal-categories", named: "Only one") == 1)
        #expect(try await browser.post("/admin/animal-categories", form.with("name", "Another one")).status == 303)
    }

    @Test("Names with equal appearance but different bytes are different")
    func bytes() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.addCategory("Caf\u{E9}")
        #expect(
            try await browser.post("/admin/animal-categories", try await browser.newCategory("Cafe\u{301}")).status
                == 303)
    }

    @Test("A reference to a category that was deleted meanwhile is rejected with advice")
    func deletedMeanwhile() async throws {
        let browser = Browser(try .shared)
        let category = try await browser.addCategory("Short-lived")
        let form = try await browser.newAnimal("Orphan", category: category)
        #expect(try await browser.delete("animal-categories", [category]).status == 200)
        let answer = try await browser.post("/admin/animals", form)
        #expect(answer.status == 422)
        #expect(answer.body.contains("This category no longer exists. Choose another one."))
        #expect(try await browser.rows(named: "Orphan") == 0)
        #expect(try await browser.post("/admin/animals", form.with("category", "")).status == 303)
    }

    @Test(
        "A malformed or dangling reference is rejected",
        arguments: ["x", "01928374-0000-7000-8000-000000000000"])
    func dangling(category: String) async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Dangling \(category)", category: category)
        #expect(try await browser.post("/admin/animals", form).status == 422)
        #expect(try await browser.rows(named: "Dangling \(category)") == 0)
    }

    @Test("The list names the category, and the sheet has it chosen")
    func shown() async throws {
        let browser = Browser(try .shared)
        let category = try await browser.addCategory("Marsupials")
        let animal = try await browser.addAnimal("Wombat", category: category)
        #expect(try await browser.get("/admin/animals?size=200").body.contains("<bdi>Marsupials</bdi>"))
        let sheet = try await browser.get("/admin/animals/\(animal)")
        #expect(sheet.source.contains(#"<option value="\#(category)" selected>Marsupials</option>"#))
        #expect(sheet.body.contains(#"<option value="">Select a category</option>"#))
    }

    @Test("Paging shows every record once, whatever characters its name contains")
    func paging() async throws {
        let server = try await Server.start()
        let browser = Browser(server)
        let names = ["a", "b", "two\nlines", "🦜", "\u{301}mark", "same", "same", "z<b>", "é", "~"]
        for name in names { try await browser.addAnimal(name) }
        var (seen, path) = ([String](), "/admin/animals?size=1")
        while seen.count <= names.count {
            let page = try await browser.get(path)
            #expect(page.status == 200, "\(path)")
            // The matching is by scalars: a combining mark at the beginning of a name joins the preceding space
            // into one character.
            seen += page.body.matches(of: /aria-label="Delete ([^"]*)"/.matchingSemantics(.unicodeScalar)).map {
                Markup.unescaped($0.1)
            }
            guard let next = page.source.firstMatch(of: /href="([^"]*)" rel="next"/) else { break }
            path = Markup.unescaped(next.1)
        }
        #expect(
            seen.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
                == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
        await server.kill()
    }
}
