import Foundation
import Testing

@Suite("Save and add another", .server)
struct AddAnotherTests {
    @Test("stores the record and opens a fresh sheet that says so, at the same place of the list")
    func another() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("One of many").with(".next", "add").with("return", "sort=-name")
        let answer = try await browser.post("/admin/animals", form)
        #expect(answer.status == 303)
        let address = try #require(answer.location)
        #expect(
            address.hasPrefix("/admin/animals/new?draft=") && address.hasSuffix("&added=\(form["id"] ?? "")&sort=-name")
        )
        let page = try await browser.get(address)
        #expect(page.body.contains("“One of many” is saved. Here is the next one."))
        let next = try Form(sheetOf: page)
        #expect(next["draft"] != form["draft"] && next["id"] != form["id"])
        #expect(address.contains("draft=\(next["draft"] ?? "none")&"))
        #expect(try await browser.rows(named: "One of many") == 1)
    }

    @Test("is not offered for a record that is there already")
    func edit() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("There already")
        #expect(try await !browser.get("/admin/animals/\(id)").body.contains("Save and add another"))
    }
}
