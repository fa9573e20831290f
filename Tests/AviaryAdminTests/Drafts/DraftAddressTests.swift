import Foundation
import Testing

@Suite("Draft addresses of new records", .server)
struct DraftAddressTests {
    @Test("An empty sheet has the draft of its address, also beside another draft")
    func empty() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.keep(try await browser.newAnimal("Another draft"))
        let draft = UUID().uuidString.lowercased()
        let page = try await browser.get("/admin/animals/new?draft=\(draft)")
        let form = try Form(sheetOf: page)
        #expect(form["draft"] == draft && (form["name"] ?? "").isEmpty)
        #expect(try await browser.keep(form.with("name", "Of this address")).status == 204)
        #expect(try await browser.get("/admin/animals/new?draft=\(draft)").body.contains(#"value="Of this address""#))
    }

    @Test("The address of a saved or discarded draft redirects to a new draft and keeps its query")
    func usedUp() async throws {
        let browser = Browser(try .shared)
        let saved = try await browser.newAnimal("Saved before")
        _ = try await browser.post("/admin/animals", saved)
        let discarded = try await browser.newAnimal("Discarded before")
        _ = try await browser.post("/admin/animals/draft/discard", discarded)
        for before in [saved, discarded] {
            let draft = try #require(before["draft"])
            let answer = try await browser.get("/admin/animals/new?draft=\(draft)&sort=-name")
            #expect(answer.status == 303)
            let address = try #require(answer.location)
            #expect(
                address.hasPrefix("/admin/animals/new?draft=") && address.hasSuffix("&sort=-name")
                    && !address.contains(draft))
            let form = try Form(sheetOf: try await browser.get(address))
            #expect(address.contains(form["draft"] ?? "none") && (form["name"] ?? "").isEmpty)
        }
    }

    @Test("The address of a new record does not open an edit's draft or another model's draft")
    func foreign() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Edited under another address")
        let edit = try await browser.sheet(of: "animals", id)
        _ = try await browser.keep(edit.with("name", "Edited"))
        let category = try await browser.newCategory("Under another address")
        _ = try await browser.keep(category, of: "animal-categories")
        for draft in [edit["draft"], category["draft"]] {
            let answer = try await browser.get("/admin/animals/new?draft=\(try #require(draft))")
            #expect(answer.status == 303)
            #expect(answer.location?.contains(draft ?? "") == false)
        }
    }

    @Test("A sheet names the copy that it shows, and an unreadable copy number is ignored")
    func copies() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Copied")
        let tab = try #require(form[".tab"])
        for turn in [1, 2, 7] {
            _ = try await browser.keep(form.with(".turn", String(turn)))
            #expect(try await browser.get("/admin/animals/new").source.contains(#"data-copy="\#(tab).\#(turn)""#))
        }
        // A form that was written by hand, or from a page without a readable number, is not a copy of a page.
        for turn in [nil, "", "-1", "x", "70000"] {
            _ = try await browser.keep(form.with(".turn", turn))
            #expect(try await !browser.get("/admin/animals/new").body.contains("data-copy"))
        }
    }
}
