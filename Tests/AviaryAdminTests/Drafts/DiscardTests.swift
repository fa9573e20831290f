import Foundation
import Testing

@Suite("Discarding a draft and undoing the discard", .server)
struct DiscardTests {
    /// A page that shows a draft, by the path to which its form leads back.
    enum Place: String, CaseIterable, Sendable {
        case overview = "/admin", list = "/admin/animals?sort=-name"
    }

    @Test("Discard redirects to the overview or to the same part of the list", arguments: Place.allCases)
    func stays(place: Place) async throws {
        let browser = Browser(try .shared)
        let draft = try await keep("Discarded there", browser)
        let answer = try await discard(on: place, browser)
        #expect(answer.status == 303)
        #expect(answer.location == place.rawValue + (place == .list ? "&" : "?") + "discarded=\(draft)")
        let page = try await browser.get(try #require(answer.location))
        #expect(page.body.contains("Discarded the draft “Discarded there”"))
        #expect(!page.body.contains("Unsaved"))
        #expect(browser.draftCookies.isEmpty)
    }

    @Test("Undo restores the text as a new draft on the same page", arguments: Place.allCases)
    func undone(place: Place) async throws {
        let browser = Browser(try .shared), name = "Brought back to the \(place)"
        let discarded = try await keep(name, browser)
        let undo = try await undo(try await discard(on: place, browser), browser)
        let answer = try await browser.post("/admin/animals/draft/reopen", undo)
        #expect(answer.status == 303)
        #expect(answer.location == place.rawValue)
        #expect(try await browser.get(place.rawValue).body.contains("“\(name)”"))
        let sheet = try await browser.get("/admin/animals/new")
        #expect(sheet.body.contains(#"name="name" value="\#(name)""#))
        let form = try Form(sheetOf: sheet)
        #expect(form["draft"] != discarded)
        #expect(
            try await browser.post("/admin/animals", form.with("name", name).with("diet", "herbivorous")).status == 303)
        #expect(try await browser.rows(named: name) == 1)
    }

    @Test(
        "Undoing a discard is idempotent and fails after the restored draft was saved or discarded",
        arguments: DraftEndingTests.Ending.allCases)
    func twice(ending: DraftEndingTests.Ending) async throws {
        let browser = Browser(try .shared)
        _ = try await keep("Back once", browser)
        let undo = try await undo(try await discard(on: .overview, browser), browser)
        for _ in 1...2 { #expect(try await browser.post("/admin/animals/draft/reopen", undo).status == 303) }
        #expect(browser.draftCookies.count == 1)
        let form = try Form(sheetOf: try await browser.get("/admin/animals/new")).with("name", "Back once").with(
            "diet", "herbivorous")
        _ = try await browser.post("/admin/animals" + (ending == .saved ? "" : "/draft/discard"), form)
        let answer = try await browser.post("/admin/animals/draft/reopen", undo)
        #expect(answer.status == 409)
        #expect(answer.body.contains("Draft could not be restored"))
        #expect(browser.draftCookies.isEmpty)
    }

    @Test("A discarded edit returns to its record unless the record has a newer draft")
    func edit() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Edited before")
        let form = try await browser.sheet(of: "animals", id).with("name", "Edited and discarded").with(
            "diet", "herbivorous")
        _ = try await browser.keep(form)
        let undo = try await undo(try await discard(on: .list, browser), browser)
        _ = try await browser.keep(
            try await browser.sheet(of: "animals", id).with("name", "Edited anew").with("diet", "herbivorous"))
        #expect(try await browser.post("/admin/animals/draft/reopen", undo).status == 409)
        #expect(try await browser.get("/admin/animals/\(id)").body.contains(#"value="Edited anew""#))
        _ = try await browser.post("/admin/animals/draft/discard", try await browser.sheet(of: "animals", id))
        #expect(try await browser.post("/admin/animals/draft/reopen", undo).status == 303)
        #expect(try await browser.get("/admin/animals/\(id)").body.contains(#"value="Edited and discarded""#))
    }

    @Test("A late copy of a discarded draft is rejected, and only the next page offers to undo")
    func late() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Late copy")
        _ = try await browser.keep(form)
        let address = try #require(try await discard(on: .overview, browser).location)
        #expect(try await browser.get(address).body.contains("Discarded the draft"))
        #expect(try await browser.keep(form).status == 409)
        #expect(try await !browser.get(address).body.contains("Discarded the draft"))
    }

    @Test("A forged link does not claim that a draft was discarded")
    func link() async throws {
        let browser = Browser(try .shared)
        let draft = try await keep("Still there", browser)
        for address in ["/admin?discarded=\(draft)", "/admin/animals?discarded=\(draft)", "/admin?discarded=x"] {
            let page = try await browser.get(address)
            #expect(page.status == 200)
            #expect(page.body.contains("“Still there”") && !page.body.contains("Discarded the draft"))
        }
    }

    @Test(
        "Undoing a discard rejects data that was not sealed for this person, model and field",
        arguments: ["cookie", "sealed"])
    func forged(field: String) async throws {
        let (browser, other) = (Browser(try .shared), Browser(try .shared, as: "discards-too", role: "editor"))
        _ = try await keep("Mine alone", browser)
        let undo = try await undo(try await discard(on: .overview, browser), browser)
        #expect(try await browser.post("/admin/animals/draft/reopen", undo.with(field, "forged")).status == 400)
        #expect(try await browser.post("/admin/animals/draft/reopen", undo.with(field, nil)).status == 400)
        #expect(try await browser.post("/admin/animal-categories/draft/reopen", undo).status == 400)
        #expect(
            try await other.post("/admin/animals/draft/reopen", undo.with("csrf", try await other.token())).status
                == 400)
        #expect(browser.draftCookies.isEmpty && other.draftCookies.isEmpty)
    }

    @Test("A nested draft is discarded without leaving the page")
    func nested() async throws {
        let browser = Browser(try .shared)
        let first = try await browser.post(
            "/admin/animals/draft", try await browser.newAnimal("Waits").with(".step", "create category"))
        let category = try Form(sheetOf: try await browser.get(try #require(first.location))).with("name", "Waited for")
        _ = try await browser.keep(category, of: "animal-categories")
        let form = Form(["csrf": try await browser.token(), "draft": category["draft"] ?? "", "from": "overview"])
        #expect(
            try await browser.post("/admin/animal-categories/draft/discard", form).location?.hasPrefix(
                "/admin?discarded=") == true)
    }

    @Test("A script gets the address that Cancel leads to")
    func script() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Cancelled by a script").with("return", "sort=-name")
        _ = try await browser.keep(form)
        let answer = try await browser.post(
            "/admin/animals/draft/discard", form, headers: ["Accept": "application/json, text/html"])
        #expect(answer.status == 200)
        #expect(try answer.json([String: String].self) == ["location": "/admin/animals?sort=-name"])
        #expect(browser.draftCookies.isEmpty)
    }

    @Test("The page after Cancel offers the text once, as a new draft")
    func cancelled() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Cancelled by a slip").with("return", "sort=-name")
        _ = try await browser.keep(form)
        let answer = try await browser.post("/admin/animals/draft/discard", form)
        #expect(answer.location == "/admin/animals?sort=-name")
        let undo = try await undo(answer, browser)
        #expect(try await !browser.get("/admin/animals").body.contains("Discarded the draft"))
        #expect(browser.draftCookies.isEmpty)
        #expect(try await browser.post("/admin/animals/draft/reopen", undo).location == "/admin/animals?sort=-name")
        let sheet = try await browser.get("/admin/animals/new")
        #expect(sheet.body.contains(#"name="name" value="Cancelled by a slip""#))
        #expect(try Form(sheetOf: sheet)["draft"] != form["draft"])
        #expect(try await browser.keep(form).status == 409)
    }

    @Test("Cancel without a draft offers no undo, and signing out removes the offer")
    func nothingToOffer() async throws {
        let browser = Browser(try .shared)
        let empty = try Form(sheetOf: try await browser.get("/admin/animals/new?fresh=1"))
        let answer = try await browser.post("/admin/animals/draft/discard", empty)
        #expect(try await !browser.get(try #require(answer.location)).body.contains("Discarded the draft"))
        let form = try await browser.newAnimal("Gone with its session")
        _ = try await browser.keep(form)
        _ = try await browser.post("/admin/animals/draft/discard", form)
        #expect(browser.cookies.keys.contains { $0.hasPrefix("cancelled-") })
        _ = try await browser.post("/logout", Form(["csrf": try await browser.token()]))
        #expect(!browser.cookies.keys.contains { $0.hasPrefix("cancelled-") })
    }

    /// Keeps a draft.
    ///
    /// - Returns: The draft's id.
    private func keep(_ name: String, _ browser: Browser) async throws -> String {
        let form = try await browser.newAnimal(name)
        #expect(try await browser.keep(form).status == 204)
        return try #require(form["draft"])
    }

    /// Presses Discard on a page that shows a single draft.
    private func discard(on place: Place, _ browser: Browser) async throws -> Answer {
        let page = try await browser.get(place.rawValue)
        return try await browser.post(
            "/admin/animals/draft/discard",
            try Form(of: page, action: "/admin/animals/draft/discard").with("csrf", page.csrf))
    }

    private func undo(_ answer: Answer, _ browser: Browser) async throws -> Form {
        let page = try await browser.get(try #require(answer.location))
        return try Form(of: page, action: "/admin/animals/draft/reopen").with("csrf", page.csrf)
    }
}
