import Foundation
import Testing

@Suite("Forms sent by a script", .server)
struct ScriptedSaveTests {
    private struct Place: Decodable { let location: String }

    private static let script = ["Accept": "application/json, text/html"]

    @Test("Save answers a script with the address to open, and the draft ends")
    func saved() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Saved by a script")
        #expect(try await browser.keep(form).status == 204)
        let answer = try await browser.post("/admin/animals", form, headers: Self.script)
        #expect(answer.status == 200 && answer.location == nil)
        let plain = try await browser.post("/admin/animals", form)
        #expect(try answer.json(Place.self).location == plain.location)
        #expect(browser.draftCookies.isEmpty)
        #expect(try await browser.rows(named: "Saved by a script") == 1)
    }

    @Test("A form that is sent by the browser and by a script is stored once")
    func twice() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Sent both ways")
        #expect(try await browser.post("/admin/animals", form).status == 303)
        #expect(try await browser.post("/admin/animals", form, headers: Self.script).status == 200)
        #expect(try await browser.rows(named: "Sent both ways") == 1)
    }

    @Test("A script gets a rejected form as HTML with the sheet")
    func refused() async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.post("/admin/animals", try await browser.newAnimal(""), headers: Self.script)
        #expect(answer.status == 422)
        #expect(answer.contentType?.hasPrefix("text/html") == true && answer.body.contains("data-sheet"))
    }

    @Test("Saving a draft and adding a nested record answer a script with an address")
    func others() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Kept by a script")
        let kept = try await browser.post("/admin/animals/draft", form, headers: Self.script)
        #expect(try kept.status == 200 && kept.json(Place.self).location == "/admin/animals")
        #expect(browser.draftCookies.count == 1)
        let next = try await browser.post(
            "/admin/animals/draft", form.with(".step", "create category"), headers: Self.script)
        #expect(try next.json(Place.self).location.hasPrefix("/admin/animal-categories/new?draft="))
    }
}
