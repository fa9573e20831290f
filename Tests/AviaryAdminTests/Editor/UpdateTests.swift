import Foundation
import Testing

@Suite("Updating records", .server)
struct UpdateTests {
    @Test("Save changes the record")
    func updated() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Before")
        let answer = try await browser.post("/admin/animals/\(id)", try await filled(browser, id, "After"))
        #expect(answer.status == 303)
        #expect(try await browser.rows(named: "After") == 1)
        #expect(try await browser.rows(named: "Before") == 0)
    }

    @Test("The sheet shows the stored values")
    func stored() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Shown")
        let page = try await browser.get("/admin/animals/\(id)")
        #expect(page.body.contains("Edit animal"))
        #expect(page.body.contains(#"name="name" value="Shown""#))
        #expect(page.body.contains(#"value="herbivorous" checked"#))
    }

    @Test("A change that is sent twice is stored once without a conflict")
    func twice() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Twice before")
        let form = try await filled(browser, id, "Twice after")
        #expect(try await browser.post("/admin/animals/\(id)", form).status == 303)
        let version = try await browser.sheet(of: "animals", id)["version"]
        #expect(try await browser.post("/admin/animals/\(id)", form).status == 303)
        #expect(try await browser.sheet(of: "animals", id)["version"] == version)
    }

    @Test("Saving a stale version shows all three texts, and the next Save requires a choice")
    func stale() async throws {
        let (ada, bob) = (Browser(try .shared), Browser(try .shared, as: "bob-contests", role: "editor"))
        let id = try await ada.addAnimal("Contested")
        let (mine, theirs) = (try await filled(ada, id, "Mine"), try await filled(bob, id, "Theirs <b>"))
        #expect(try await bob.post("/admin/animals/\(id)", theirs).status == 303)
        let answer = try await ada.post("/admin/animals/\(id)", mine)
        #expect(answer.status == 409)
        #expect(answer.body.contains("Someone else changed this animal"))
        #expect(answer.body.contains(#"<span class="version" dir="auto">Theirs &lt;b&gt;</span>"#))
        #expect(answer.body.contains("Original value: <bdi>Contested</bdi>"))
        #expect(answer.body.contains(#"name="name" value="Mine""#))
        #expect(try await ada.rows(named: "Mine") == 0)
        let undecided = try Form(sheetOf: answer).with("name", "Mine").with("diet", "herbivorous")
        #expect(try await ada.post("/admin/animals/\(id)", undecided).status == 422)
        #expect(try await ada.rows(named: "Mine") == 0)
        // The page is rebuilt from the draft, with both texts.
        #expect(try await ada.get("/admin/animals/\(id)").body.contains("Theirs &lt;b&gt;</span>"))
        let decided = undecided.with(".keep.name", "mine")
        #expect(try await ada.post("/admin/animals/\(id)", decided).status == 303)
        #expect(try await ada.rows(named: "Mine") == 1)
    }

    @Test("A conflict with the person's own change says so")
    func ownStale() async throws {
        let (here, there) = (Browser(try .shared), Browser(try .shared))
        let id = try await here.addAnimal("Contested by oneself")
        let (one, other) = (try await filled(here, id, "Here"), try await filled(there, id, "There"))
        #expect(try await there.post("/admin/animals/\(id)", other).status == 303)
        let answer = try await here.post("/admin/animals/\(id)", one)
        #expect(answer.status == 409)
        #expect(answer.body.contains("You changed this animal elsewhere") && !answer.body.contains("Someone else"))
    }

    @Test("One of two concurrent changes is stored, and the other answers 409")
    func atOnce() async throws {
        let (ada, bob) = (Browser(try .shared), Browser(try .shared))
        let id = try await ada.addAnimal("Raced")
        let (one, two) = (try await filled(ada, id, "Raced by Ada"), try await filled(bob, id, "Raced by Bob"))
        async let first = ada.post("/admin/animals/\(id)", one).status
        async let second = bob.post("/admin/animals/\(id)", two).status
        #expect(try await [first, second].sorted() == [303, 409])
    }

    @Test("Saving a deleted record answers 409, and its text can be stored as a new record")
    func deleted() async throws {
        let (ada, bob) = (Browser(try .shared), Browser(try .shared))
        let id = try await ada.addAnimal("Doomed")
        let form = try await filled(ada, id, "Rescued")
        #expect(try await bob.delete("animals", [id]).status == 200)
        let answer = try await ada.post("/admin/animals/\(id)", form)
        #expect(answer.status == 409)
        #expect(answer.body.contains("This animal was deleted in the meantime."))
        let rescued = try Form(sheetOf: answer).with("name", "Rescued").with("diet", "herbivorous")
        #expect(rescued["id"] != id)
        #expect(try await ada.post("/admin/animals", rescued).status == 303)
        #expect(try await ada.rows(named: "Rescued") == 1)
        #expect(try await !ada.exists("animals", id))
    }

    @Test("A stored change that is sent again does not restore a deleted record")
    func replayed() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Replayed")
        let form = try await filled(browser, id, "Replayed later")
        _ = try await browser.post("/admin/animals/\(id)", form)
        _ = try await browser.delete("animals", [id])
        #expect(try await browser.post("/admin/animals/\(id)", form).status == 303)
        #expect(try await !browser.exists("animals", id))
    }

    private func filled(_ browser: Browser, _ id: String, _ name: String) async throws -> Form {
        try await browser.sheet(of: "animals", id).with("name", name).with("diet", "herbivorous").with("category", "")
    }
}
