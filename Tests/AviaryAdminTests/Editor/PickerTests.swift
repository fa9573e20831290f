import Foundation
import Testing

@Suite("Searching for related records", .server)
struct PickerTests {
    struct Choices: Decodable {
        struct Choice: Decodable {
            let id: String
            let title: String
        }

        let choices: [Choice]
        let message: String
    }

    @Test("Prefix matches come first, then word matches")
    func found() async throws {
        let browser = Browser(try .shared)
        let mark = "Zq1234"
        for name in ["\(mark) first", "Behind \(mark)", "\(mark) second"] { _ = try await browser.addCategory(name) }
        let answer = try await browser.get("/admin/animal-categories/choices?q=\(mark.lowercased())")
        #expect(answer.contentType == "application/json")
        let found = try answer.json(Choices.self)
        #expect(found.choices.map(\.title) == ["\(mark) first", "\(mark) second", "Behind \(mark)"])
        #expect(found.message == "3 animal categories match “\(mark.lowercased())”.")
        let none = try await browser.get("/admin/animal-categories/choices?q=nothing-has-this").json(Choices.self)
        #expect(none.choices.isEmpty)
        #expect(none.message.hasPrefix("No animal category matches"))
    }

    @Test("Above a hundred records, the field is a search that keeps the choice and loads no other records")
    func field() async throws {
        let server = try await Server.start()
        let browser = Browser(server)
        for index in 0..<101 { _ = try await browser.addCategory("Kind \(index)") }
        let page = try await browser.get("/admin/animals/new")
        #expect(page.body.contains(#"data-choices="/admin/animal-categories/choices""#))
        #expect(!page.body.contains("Kind 50"))
        let form = try Form(sheetOf: page).with("name", "Picky").with("diet", "herbivorous")
        let searched = try await browser.post(
            "/admin/animals/draft", form.with(".search.category", "kind 50").with(".step", "find category"))
        #expect(searched.status == 200)
        let option = try #require(
            searched.source.firstMatch(of: /name="category" value="([0-9a-f-]{36})"[^>]*><span dir="auto">Kind 50</))
        #expect(searched.body.contains(#"name="name" value="Picky""#))
        #expect(searched.body.contains("1 animal category matches “kind 50”."))
        // Enter in the search field presses Save, which then also searches.
        let entered = try await browser.post("/admin/animals", form.with(".search.category", "kind 7"))
        #expect(entered.status == 200)
        #expect(entered.body.contains("Kind 77"))
        #expect(try await browser.rows(named: "Picky") == 0)
        // A new page counts as another copy of the draft.
        var chosen = try Form(sheetOf: entered).with("name", "Picky").with("diet", "herbivorous")
        chosen["category"] = String(option.1)
        chosen[".search.category"] = ""
        #expect(try await browser.post("/admin/animals", chosen).status == 303)
        #expect(try await browser.rows(named: "Picky") == 1)
        let id = try #require(chosen["id"])
        #expect(
            try await browser.get("/admin/animals/\(id)").source.contains(
                #"value="\#(option.1)" checked><span dir="auto">Kind 50</span>"#))
        await server.kill()
    }

    @Test("The search redirects anonymous requests and answers 404 for an unknown model")
    func hidden() async throws {
        #expect(try await Browser(strangerAt: .shared).get("/admin/animal-categories/choices?q=a").status == 303)
        #expect(try await Browser(.shared).get("/admin/plants/choices?q=a").status == 404)
    }

    @Test(
        "Hostile search texts match nothing and cause no error",
        arguments: ["%25", "%27%20OR%201=1", "%00", "%5C", "%F0%9F%A6%9C", String(repeating: "a", count: 5000)])
    func hostile(text: String) async throws {
        let answer = try await Browser(try .shared).get("/admin/animal-categories/choices?q=\(text)")
        #expect(answer.status == 200)
        #expect(try answer.json(Choices.self).choices.isEmpty)
    }
}
