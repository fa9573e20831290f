import AviaryDomain
import Foundation
import TestSupport
import Testing

@Suite("Activity, history and earlier versions", .server)
struct ActivityPageTests {
    /// Adds an animal, renames it, and returns its id.
    private func renamed(_ browser: Browser, from before: String, to after: String) async throws -> String {
        let id = try await browser.addAnimal(before)
        let form = try await browser.sheet(of: "animals", id).with("name", after).with("diet", "carnivorous").with(
            "category", "")
        #expect(try await browser.post("/admin/animals/\(id)", form).status == 303)
        return id
    }

    @Test("The form can show an earlier version, which is stored only when it is saved")
    func earlier() async throws {
        let browser = Browser(try .shared)
        let id = try await renamed(browser, from: "Was so", to: "Is so")
        let history = try await browser.get("/admin/activity?model=animals&record=\(id)")
        #expect(history.body.contains("History of “Is so”"))
        let link = try #require(history.source.firstMatch(of: /href="(\/admin\/animals\/[^"]+earlier=\d+)"/)).1
        let sheet = try await browser.get(String(link))
        #expect(sheet.body.contains(#"value="Was so""#) && sheet.body.contains("Changes apply once you save."))
        #expect(try await browser.rows(named: "Is so") == 1)
        let form = try Form(sheetOf: sheet).with("name", "Was so").with("diet", "herbivorous").with("category", "")
        #expect(try await browser.post("/admin/animals/\(id)", form).status == 303)
        #expect(try await browser.rows(named: "Was so") == 1)
    }

    @Test(
        "The sheet says when the history does not contain the requested version",
        arguments: ["1", "99999999", "x", "-1"])
    func noSuchVersion(number: String) async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal(Unique.name("Only so "))
        let sheet = try await browser.get("/admin/animals/\(id)?earlier=\(number)")
        #expect(sheet.status == 200 && sheet.body.contains("The history doesn’t go back to this version."))
    }

    @Test("A record's sheet links to its history, and a copy is stored only when it is saved")
    func copy() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Dolly")
        let sheet = try await browser.get("/admin/animals/\(id)")
        #expect(sheet.source.contains("/admin/activity?model=animals&amp;record=\(id)"))
        let copy = try await browser.get("/admin/animals/new?fresh=1&like=\(id)")
        #expect(copy.body.contains(#"value="Dolly""#))
        #expect(try await browser.rows(named: "Dolly") == 1)
        let form = try Form(sheetOf: copy).with("name", "Dolly").with("diet", "herbivorous").with("category", "")
        #expect(form["id"] != id)
        #expect(try await browser.post("/admin/animals", form).status == 303)
        #expect(try await browser.rows(named: "Dolly") == 2)
    }

    @Test("The history of a record that never existed answers 404")
    func unknownRecord() async throws {
        let answer = try await Browser(try .shared).get(
            "/admin/activity?model=animals&record=\(UUID.version7().canonicalText)")
        #expect(answer.status == 404)
        #expect(answer.body.contains("This animal doesn’t exist") && answer.body.contains("Show all activity"))
    }

    @Test("The overview shows recent changes only to people who may see them")
    func overview() async throws {
        let browser = Browser(try .shared)
        _ = try await renamed(browser, from: "Before overview", to: "After overview")
        #expect(try await browser.get("/admin").body.contains("Changed animal “After overview”"))
        // A page does not wait long for the state of the store.
        try await eventually("the page shows the health") { try await browser.get("/admin").body.contains("Health") }
        let viewer = try await Browser(.shared, as: "onlooker", role: "viewer").get("/admin")
        #expect(viewer.status == 200 && !viewer.body.contains("After overview") && !viewer.body.contains("Health"))
    }
}
