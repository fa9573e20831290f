import Foundation
import Testing

@Suite("Nested creation of records", .server)
struct NestedCreationTests {
    @Test("Save returns to the waiting form with the new record chosen and all input kept")
    func saved() async throws {
        let browser = Browser(try .shared)
        let waiting = try await begin(browser, "Waits for its category")
        let sheet = try await browser.get(waiting.next)
        #expect(sheet.body.contains("Your animal is kept as a draft"))
        let category = try Form(sheetOf: sheet).with("name", "Made on the way \(waiting.id)")
        let answer = try await browser.post("/admin/animal-categories", category)
        #expect(answer.status == 303)
        #expect(
            answer.location == "/admin/animals/new?draft=\(waiting.draft)&chosen=\(category["id"] ?? "")&field=category"
        )
        // A proxy has room for one such header field per response.
        #expect(answer.setCookies.count { !$0.isExpired } <= 1)
        let back = try await browser.get(try #require(answer.location))
        #expect(
            back.source.contains(
                "Saved “Made on the way \(waiting.id)” and chose it here. This form is not saved yet."))
        #expect(back.body.contains(#"name="name" value="Waits for its category""#))
        #expect(back.source.contains(#"<option value="\#(try #require(category["id"]))" selected>Made on the way"#))
        var animal = try Form(sheetOf: back)
        animal["name"] = "Waits for its category"
        animal["diet"] = "herbivorous"
        animal["category"] = category["id"]
        #expect(try await browser.post("/admin/animals", animal).status == 303)
        #expect(browser.draftCookies.isEmpty)
    }

    @Test("Cancel returns to the waiting form and stores nothing")
    func cancelled() async throws {
        let browser = Browser(try .shared)
        let waiting = try await begin(browser, "Waits in vain")
        let form = try Form(sheetOf: try await browser.get(waiting.next)).with("name", "Never \(waiting.id)")
        _ = try await browser.keep(form, of: "animal-categories")
        #expect(browser.draftCookies.count == 2)
        let answer = try await browser.post("/admin/animal-categories/draft/discard", form)
        #expect(answer.status == 303)
        #expect(answer.location == "/admin/animals/new?draft=\(waiting.draft)")
        #expect(browser.draftCookies.count == 1)
        #expect(try await browser.rows(of: "animal-categories", named: "Never \(waiting.id)") == 0)
        #expect(try await browser.get("/admin/animals/new").body.contains(#"value="Waits in vain""#))
    }

    @Test("A nested draft returns to the waiting form, also after a reload")
    func continued() async throws {
        let browser = Browser(try .shared)
        let waiting = try await begin(browser, "Waits through a reload")
        let form = try Form(sheetOf: try await browser.get(waiting.next)).with("name", "Reloaded \(waiting.id)")
        _ = try await browser.keep(form, of: "animal-categories")
        let again = try Form(sheetOf: try await browser.get("/admin/animal-categories/new"))
        #expect(again[".parent"] == form[".parent"] && again["draft"] == form["draft"])
        let answer = try await browser.post("/admin/animal-categories", again.with("name", "Reloaded \(waiting.id)"))
        #expect(answer.location?.hasPrefix("/admin/animals/new?draft=\(waiting.draft)&") == true)
    }

    @Test("An edit waits for a nested record and then continues")
    func edited() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Edited and waiting")
        let form = try await browser.sheet(of: "animals", id).with("name", "Edited while waiting").with(
            "diet", "omnivorous")
        let answer = try await browser.post("/admin/animals/draft", form.with(".step", "create category"))
        let category = try Form(sheetOf: try await browser.get(try #require(answer.location))).with(
            "name", "For an edit \(id)")
        let back = try #require(try await browser.post("/admin/animal-categories", category).location)
        #expect(back.hasPrefix("/admin/animals/\(id)?draft="))
        let page = try await browser.get(back)
        #expect(page.body.contains(#"name="name" value="Edited while waiting""#))
        #expect(page.source.contains(#"<option value="\#(try #require(category["id"]))" selected>"#))
    }

    @Test("The address of a saved waiting form opens a new form with a notice and nothing chosen")
    func backToSaved() async throws {
        let browser = Browser(try .shared)
        let waiting = try await begin(browser, "Saved after waiting")
        let category = try Form(sheetOf: try await browser.get(waiting.next)).with(
            "name", "Chosen for good \(waiting.id)")
        let address = try #require(try await browser.post("/admin/animal-categories", category).location)
        let animal = try Form(sheetOf: try await browser.get(address)).with("name", "Saved after waiting").with(
            "diet", "herbivorous")
        #expect(try await browser.post("/admin/animals", animal.with("category", category["id"])).status == 303)
        let next = try #require(try await browser.get(address).location)
        #expect(!next.contains("chosen=") && !next.contains("field=") && !next.contains(waiting.draft))
        let page = try await browser.get(next)
        #expect(page.body.contains("Saved “Saved after waiting”. Add the next one here."))
        #expect(page.source.contains(#"value="leave /admin/animals/\#(waiting.id)""#))
        #expect(!page.body.contains("and chose it here"))
        #expect(try Form(sheetOf: page)["id"] != waiting.id)
    }

    @Test("A waiting edit that is saved no longer says that it is unsaved")
    func backToSavedEdit() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Edit that waited")
        let form = try await browser.sheet(of: "animals", id).with("name", "Edit that waited").with(
            "diet", "herbivorous")
        let first = try await browser.post("/admin/animals/draft", form.with(".step", "create category"))
        let category = try Form(sheetOf: try await browser.get(try #require(first.location))).with(
            "name", "Chosen in an edit \(id)")
        let address = try #require(try await browser.post("/admin/animal-categories", category).location)
        #expect(try await browser.get(address).body.contains("This form is not saved yet."))
        #expect(try await browser.post("/admin/animals/\(id)", form.with("category", category["id"])).status == 303)
        #expect(try await !browser.get(address).body.contains("This form is not saved yet."))
    }

    @Test("The notice of the chosen record disappears when another record is chosen")
    func chosenOtherwise() async throws {
        let browser = Browser(try .shared)
        let waiting = try await begin(browser, "Chooses otherwise")
        let category = try Form(sheetOf: try await browser.get(waiting.next)).with("name", "Not chosen \(waiting.id)")
        let address = try #require(try await browser.post("/admin/animal-categories", category).location)
        let animal = try Form(sheetOf: try await browser.get(address))
        _ = try await browser.keep(
            animal.with("name", "Chooses otherwise").with("diet", "herbivorous").with("category", ""))
        #expect(try await !browser.get(address).body.contains("and chose it here"))
    }

    @Test("The address of a saved nested record says that it is saved and which form still waits")
    func backToAdded() async throws {
        let browser = Browser(try .shared)
        let waiting = try await begin(browser, "Still waiting")
        let category = try Form(sheetOf: try await browser.get(waiting.next)).with("name", "Added once \(waiting.id)")
        _ = try await browser.post("/admin/animal-categories", category)
        let page = try await browser.get(try #require(try await browser.get(waiting.next).location))
        #expect(
            page.source.contains(
                "Saved “Added once \(waiting.id)”. Add the next one here. Your animal is kept as a draft"))
        #expect(try Form(sheetOf: page)[".parent"] == "\(waiting.draft).category")
        #expect(
            try await browser.get("/admin/animals/new?draft=\(waiting.draft)").body.contains(#"value="Still waiting""#))
    }

    @Test("A nested record is stored even if the waiting form is gone")
    func gone() async throws {
        let browser = Browser(try .shared)
        let waiting = try await begin(browser, "Gone meanwhile")
        let category = try Form(sheetOf: try await browser.get(waiting.next)).with("name", "Alone \(waiting.id)")
        _ = try await browser.post("/admin/animals/draft/discard", waiting.form)
        let answer = try await browser.post("/admin/animal-categories", category)
        #expect(answer.status == 303)
        #expect(answer.location?.hasPrefix("/admin/animal-categories") == true)
        #expect(try await browser.rows(of: "animal-categories", named: "Alone \(waiting.id)") == 1)
    }

    @Test("A form that does not fit as a draft stays on the page with the reason")
    func full() async throws {
        let browser = Browser(try .shared)
        for index in 0..<6 { _ = try await browser.keep(try await browser.newAnimal("Full \(index)")) }
        let form = try await browser.newAnimal("No room to wait").with(".step", "create category")
        let answer = try await browser.post("/admin/animals/draft", form)
        #expect(answer.status == 200)
        #expect(answer.body.contains("There is no room to keep this form as a draft while you add another record."))
        #expect(answer.body.contains(#"name="name" value="No room to wait""#))
    }

    @Test("A viewer is not offered to add a category and cannot request it")
    func forbidden() async throws {
        let viewer = Browser(try .shared, as: "looker", role: "viewer")
        let id = try await Browser(.shared).addAnimal("Only looked at")
        #expect(try await !viewer.get("/admin/animals/\(id)").body.contains("New category"))
        let form = try await Browser(.shared).newAnimal("x").with("csrf", try await viewer.token()).with(
            ".step", "create category")
        #expect(try await viewer.post("/admin/animals/draft", form).status == 403)
    }

    @Test(
        "A malformed step redirects or answers 400",
        arguments: ["create name", "create wings", "create ", "create"])
    func malformed(step: String) async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.post(
            "/admin/animals/draft", try await browser.newAnimal("Odd").with(".step", step))
        #expect([303, 400].contains(answer.status))
    }

    private struct Waiting {
        let form: Form
        let next: String
        let draft: String
        let id: String
    }

    private func begin(_ browser: Browser, _ name: String) async throws -> Waiting {
        let form = try await browser.newAnimal(name)
        let answer = try await browser.post("/admin/animals/draft", form.with(".step", "create category"))
        #expect(answer.status == 303)
        let next = try #require(answer.location)
        #expect(next.hasPrefix("/admin/animal-categories/new?draft="))
        return Waiting(form: form, next: next, draft: try #require(form["draft"]), id: try #require(form["id"]))
    }
}
