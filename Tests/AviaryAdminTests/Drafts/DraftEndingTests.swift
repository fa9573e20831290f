import Foundation
import Testing

@Suite("Saved and discarded drafts", .server)
struct DraftEndingTests {
    /// The end of a draft.
    enum Ending: CaseIterable, Sendable {
        case saved, discarded
    }

    @Test("A draft's cookie ends with the draft, and no page shows the draft", arguments: Ending.allCases)
    func ended(ending: Ending) async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Ended")
        _ = try await browser.keep(form)
        let answer = try await end(form, ending, browser)
        #expect(answer.status == 303)
        #expect(answer.setCookies.contains { $0.isExpired })
        #expect(browser.draftCookies.isEmpty)
        #expect(try await !browser.get("/admin/animals").body.contains("Unsaved"))
        #expect(try Form(sheetOf: try await browser.get("/admin/animals/new"))["draft"] != form["draft"])
    }

    @Test("A late copy from a script is rejected and not kept", arguments: Ending.allCases)
    func lateCopy(ending: Ending) async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Late \(ending)")
        _ = try await browser.keep(form)
        let cookies = browser.draftCookies
        _ = try await end(form, ending, browser)
        let answer = try await browser.keep(form.with("name", "Later"))
        #expect(answer.status == 409)
        #expect(browser.draftCookies.isEmpty)
        // The browser may have sent the copy before it learned of the end.
        browser.cookies.merge(cookies) { _, old in old }
        #expect(try await browser.keep(form.with("name", "Later")).status == 409)
        #expect(browser.draftCookies.isEmpty)
    }

    @Test("The answer to a late copy tells the script whether the draft was saved", arguments: Ending.allCases)
    func lateOutcome(ending: Ending) async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Late outcome \(ending)")
        _ = try await end(form, ending, browser)
        let answer = try await browser.keep(form.with("name", "Later")).json([String: String].self)
        #expect(answer["outcome"] == (ending == .saved ? "saved" : nil))
        #expect(answer["error"]?.isEmpty == false)
    }

    @Test(
        "The cookie of an ended draft is deleted without a notice", arguments: Ending.allCases,
        ["/admin", "/admin/animals", "/admin/animals/new"])
    func broughtBack(ending: Ending, path: String) async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal(Unique.name("Back "))
        _ = try await browser.keep(form)
        let cookies = browser.draftCookies
        _ = try await end(form, ending, browser)
        browser.cookies.merge(cookies) { _, old in old }
        let page = try await browser.get(path)
        #expect(page.status == 200)
        #expect(!page.body.contains("Unsaved") && !page.body.contains("value=\"Back"))
        #expect(browser.draftCookies.isEmpty)
    }

    @Test("The form of a discarded draft is rejected")
    func discardedForm() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Discarded form")
        _ = try await end(form, .discarded, browser)
        let answer = try await browser.post("/admin/animals", form)
        #expect(answer.status == 409)
        #expect(answer.body.contains("This draft was already discarded."))
        #expect(try await browser.rows(named: "Discarded form") == 0)
    }

    @Test("Discarding a saved draft does not change the stored record")
    func discardedAfterSave() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Saved first")
        _ = try await end(form, .saved, browser)
        #expect(try await end(form, .discarded, browser).status == 303)
        #expect(try await browser.rows(named: "Saved first") == 1)
        // The receipt is still that of the save.
        #expect(try await browser.post("/admin/animals", form).status == 303)
    }

    @Test("After an edit is cancelled, the sheet shows the stored values")
    func cancelledEdit() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Uncancelled")
        let form = try await browser.sheet(of: "animals", id).with("name", "Cancelled").with("diet", "omnivorous")
        _ = try await browser.keep(form)
        _ = try await end(form, .discarded, browser)
        #expect(try await browser.get("/admin/animals/\(id)").body.contains(#"name="name" value="Uncancelled""#))
    }

    @Test("The draft of a deleted record ends when its text is saved as a new record")
    func deletedRecord() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Deleted below")
        let form = try await browser.sheet(of: "animals", id).with("name", "Deleted above").with("diet", "omnivorous")
        _ = try await browser.keep(form)
        _ = try await browser.delete("animals", [id])
        let answer = try await browser.post("/admin/animals/\(id)", form)
        #expect(answer.status == 409)
        let again = try Form(sheetOf: answer).with("name", "Deleted above").with("diet", "omnivorous")
        #expect(try await browser.post("/admin/animals", again).status == 303)
        #expect(try await !browser.get("/admin/animals").body.contains("Unsaved"))
    }

    @Test("A form with a problem does not show drafts that have ended meanwhile")
    func invalidBesideEnded() async throws {
        let browser = Browser(try .shared)
        let (ended, invalid) = (try await browser.newAnimal("Ended beside"), try await browser.newAnimal(""))
        _ = try await browser.keep(ended)
        let cookies = browser.draftCookies
        _ = try await end(ended, .saved, browser)
        // No page is requested in between, because it would delete the cookie.
        browser.cookies.merge(cookies) { _, old in old }
        let answer = try await browser.post("/admin/animals", invalid)
        #expect(answer.status == 422)
        #expect(!answer.body.contains("Unsaved"))
    }

    private func end(_ form: Form, _ ending: Ending, _ browser: Browser) async throws -> Answer {
        try await browser.post("/admin/animals" + (ending == .saved ? "" : "/draft/discard"), form)
    }
}
