import Foundation
import Testing

@Suite("One draft in two tabs", .server)
struct TabTests {
    struct Refused: Decodable { let error: String }

    @Test("A stale tab gets 409, and the newer copy is kept")
    func older() async throws {
        let browser = Browser(try .shared)
        let (one, other) = try await pages(browser)
        #expect(try await browser.keep(one.with("name", "Of the first page")).status == 204)
        let answer = try await browser.keep(other.with("name", "Of the second page"))
        #expect(answer.status == 409)
        #expect(try answer.json(Refused.self).error.contains("was changed in another tab"))
        #expect(answer.setCookies.isEmpty)
        #expect(try await browser.get("/admin/animals/new").body.contains(#"value="Of the first page""#))
    }

    @Test("A tab can update its own draft repeatedly")
    func own() async throws {
        let browser = Browser(try .shared)
        let (one, _) = try await pages(browser)
        for index in 0..<5 { #expect(try await browser.keep(one.with("name", "Copy \(index)")).status == 204) }
    }

    @Test("Saving a stale draft by hand succeeds at the second attempt")
    func byHand() async throws {
        let browser = Browser(try .shared)
        let (one, other) = try await pages(browser)
        _ = try await browser.keep(one.with("name", "First"))
        let reported = try await browser.post("/admin/animals/draft", other.with("name", "Second"))
        #expect(reported.status == 409)
        #expect(reported.body.contains(#"name="name" value="Second""#))
        #expect(reported.body.contains("Select “Save draft” to keep this text."))
        let again = try Form(sheetOf: reported).with("name", "Second").with("diet", "herbivorous")
        #expect(try await browser.post("/admin/animals/draft", again).status == 303)
        #expect(try await browser.get("/admin/animals/new").body.contains(#"value="Second""#))
    }

    @Test("Two tabs that edit one record share its draft, so the stale tab gets 409")
    func edits() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Edited twice at once")
        let one = try await browser.sheet(of: "animals", id), other = try await browser.sheet(of: "animals", id)
        #expect(try await browser.keep(one.with("name", "One")).status == 204)
        #expect(try await browser.keep(other.with("name", "Other")).status == 409)
    }

    @Test("Saving from both tabs stores the record once")
    func saved() async throws {
        let browser = Browser(try .shared)
        let (one, other) = try await pages(browser)
        #expect(try await browser.post("/admin/animals", one.with("name", "Saved from both")).status == 303)
        #expect(try await browser.post("/admin/animals", other.with("name", "Saved from both")).status == 303)
        #expect(try await browser.rows(named: "Saved from both") == 1)
        #expect(try await browser.keep(other.with("name", "Later")).status == 409)
    }

    /// Opens the same draft twice.
    private func pages(_ browser: Browser) async throws -> (Form, Form) {
        _ = try await browser.keep(try await browser.newAnimal("Begun"))
        func page() async throws -> Form {
            try Form(sheetOf: try await browser.get("/admin/animals/new")).with("name", "Begun").with(
                "diet", "herbivorous"
            ).with("category", "")
        }
        return (try await page(), try await page())
    }
}
