import AviaryDomain
import Foundation
import Testing

@Suite("Undo route", .server)
struct UndoRouteTests {
    private struct Undone: Decodable { let commit: Int64; let message: String }
    private struct Refused: Decodable { let error: String }

    /// Adds and deletes an animal. Returns its id and the number of the commit that deleted it.
    private func deleted(_ name: String, _ browser: Browser) async throws -> (id: String, commit: Int64) {
        let id = try await browser.addAnimal(name)
        #expect(try await browser.delete("animals", [id]).status == 200)
        let page = try await browser.get("/admin/activity?model=animals&record=\(id)")
        let commit = try #require(page.body.firstMatch(of: /action="\/admin\/undo\/(\d+)"/))
        return (id, try #require(Int64(commit.1)))
    }

    private func undo(
        _ commit: Int64, _ browser: Browser, _ fields: KeyValuePairs<String, String> = [:], json: Bool = false
    ) async throws -> Answer {
        var form = Form(["csrf": try await browser.token()])
        for (name, value) in fields { form.add(name, value) }
        return try await browser.post(
            "/admin/undo/\(commit)", form, headers: json ? ["Accept": "application/json"] : [:])
    }

    @Test("Undoing redirects to the page it was requested from, which reports it and offers to redo")
    func form() async throws {
        let browser = Browser(try .shared)
        let (id, commit) = try await deleted("Back by form", browser)
        let answer = try await undo(commit, browser, ["return": "/admin/animals?sort=-name&undone=1"])
        #expect(answer.status == 303)
        let location = try #require(answer.location)
        #expect(location.wholeMatch(of: /\/admin\/animals\?sort=-name&undone=\d+/) != nil, "\(location)")
        #expect(try await browser.exists("animals", id))
        let page = try await browser.get(location)
        #expect(page.body.contains("Restored “Back by form”") && page.body.contains(">Redo<"))
    }

    @Test("A script gets JSON, and a repeated change set identifier undoes the commit once")
    func json() async throws {
        let browser = Browser(try .shared)
        let (id, commit) = try await deleted("Back by script", browser)
        let changeSet = UUID().uuidString.lowercased()
        let first = try await undo(commit, browser, ["changeset": changeSet], json: true)
        #expect(first.status == 200)
        let undone = try first.json(Undone.self)
        #expect(undone.message == "Restored “Back by script”")
        #expect(
            try await undo(commit, browser, ["changeset": changeSet], json: true).json(Undone.self).commit
                == undone.commit)
        #expect(try await browser.exists("animals", id))
        // Another request fails, because the animal already exists again.
        let refused = try await undo(commit, browser, json: true)
        #expect(refused.status == 409)
        #expect(try refused.json(Refused.self).error == "Not undone: “Back by script” already exists again.")
    }

    @Test("A double-clicked undo form is idempotent")
    func doubleClick() async throws {
        let browser = Browser(try .shared)
        let (id, commit) = try await deleted("Pressed twice", browser)
        let page = try await browser.get("/admin/activity?model=animals&record=\(id)")
        let form = try Form(of: page, action: "/admin/undo/\(commit)")
        let answers = [
            try await browser.post("/admin/undo/\(commit)", form),
            try await browser.post("/admin/undo/\(commit)", form),
        ]
        #expect(answers.map(\.status) == [303, 303])
        #expect(Set(answers.map(\.location)).count == 1)
        #expect(try await browser.exists("animals", id))
        // The same holds for the button on the resulting page, which undoes the undo.
        let news = try await browser.get(try #require(answers[0].location))
        let redo = try #require(news.body.firstMatch(of: /action="(\/admin\/undo\/\d+)"/)).1
        let again = try Form(of: news, action: String(redo))
        #expect(try await browser.post(String(redo), again).status == 303)
        #expect(try await browser.post(String(redo), again).status == 303)
        #expect(try await !browser.exists("animals", id))
    }

    @Test("An undo that conflicts answers 409 with the reason")
    func refused() async throws {
        let browser = Browser(try .shared)
        let (_, commit) = try await deleted("Twice", browser)
        #expect(try await undo(commit, browser).status == 303)
        let page = try await undo(commit, browser, ["return": "/admin/animals"])
        #expect(page.status == 409)
        #expect(page.body.contains("Can’t undo this step") && page.body.contains("“Twice” already exists again."))
        #expect(page.body.contains(#"href="/admin/animals">Go back"#))
    }

    @Test("A GET request does not undo a commit")
    func get() async throws {
        let browser = Browser(try .shared)
        let (id, commit) = try await deleted("Not by link", browser)
        #expect(try await browser.get("/admin/undo/\(commit)").status == 405)
        #expect(try await !browser.exists("animals", id))
    }

    @Test(
        "An undo never redirects to another site",
        arguments: ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""])
    func openRedirect(address: String) async throws {
        let browser = Browser(try .shared)
        let (_, commit) = try await deleted(Unique.name("Redirect "), browser)
        let answer = try await undo(commit, browser, ["return": address])
        #expect(answer.location?.hasPrefix("/admin?undone=") == true)
    }

    @Test("The notice appears only for the commit of an undo and only to the person who did it")
    func news() async throws {
        let browser = Browser(try .shared)
        let (_, commit) = try await deleted("News", browser)
        let answer = try await undo(commit, browser)
        let location = try #require(answer.location)
        #expect(try await browser.get(location).body.contains("Restored “News"))
        #expect(try await !browser.get("/admin?undone=\(commit)").body.contains("Restored “News"))
        #expect(try await !browser.get("/admin?undone=x").body.contains("Restored “News"))
        #expect(
            try await !Browser(.shared, as: "another", role: "editor").get(location).body.contains("Restored “News"))
    }

    @Test(
        "Undoing an unknown commit answers 404",
        arguments: ["99999999", "0", "-1", "x", "1e3"])
    func missing(number: String) async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.post("/admin/undo/\(number)", Form(["csrf": try await browser.token()]))
        #expect(answer.status == 404)
    }
}
