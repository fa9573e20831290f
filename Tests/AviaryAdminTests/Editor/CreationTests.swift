import AviaryDomain
import Foundation
import Testing

@Suite("Creating records", .server)
struct CreationTests {
    @Test("Save redirects to the list, which shows the record")
    func created() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Okapi")
        let answer = try await browser.post("/admin/animals", form)
        #expect(answer.status == 303)
        #expect(answer.isAt("/admin/animals", saved: form["id"]))
        #expect(try await browser.rows(named: "Okapi") == 1)
    }

    @Test("Nothing is stored before Save")
    func nothingBefore() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Never saved")
        #expect(try await !browser.exists("animals", try #require(form["id"])))
    }

    @Test("Save redirects to the part of the list from which the sheet was opened")
    func back() async throws {
        let browser = Browser(try .shared)
        var form = try Form(sheetOf: try await browser.get("/admin/animals/new?sort=-name&size=10"))
        form["name"] = "Returned"
        form["diet"] = "omnivorous"
        let answer = try await browser.post("/admin/animals", form)
        #expect(answer.isAt("/admin/animals?sort=-name&size=10", saved: form["id"]))
    }

    @Test(
        "Save never redirects to another site",
        arguments: [
            "//evil.example", "https://evil.example", "/\\evil.example", "sort=-name\r\nSet-Cookie: a=b", "sort=wings",
            "%0d%0aX: y",
        ])
    func noForeignReturn(location: String) async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Returned").with("return", location)
        let answer = try await browser.post("/admin/animals", form)
        #expect(answer.status == 303)
        #expect(answer.isAt("/admin/animals", saved: form["id"]))
    }

    @Test("A form that is sent twice stores one record, and both requests succeed")
    func twice() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Sent twice")
        #expect(try await browser.post("/admin/animals", form).status == 303)
        #expect(try await browser.post("/admin/animals", form).status == 303)
        #expect(try await browser.rows(named: "Sent twice") == 1)
    }

    @Test("A form that is sent 20 times concurrently stores one record")
    func atOnce() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Sent at once")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await browser.post("/admin/animals", form).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 303, count: 20))
        #expect(try await browser.rows(named: "Sent at once") == 1)
    }

    @Test("A saved form with other content answers 409 with its text and can be saved as another record")
    func otherContent() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("First content")
        _ = try await browser.post("/admin/animals", form)
        let answer = try await browser.post("/admin/animals", form.with("name", "Second content"))
        #expect(answer.status == 409)
        #expect(answer.body.contains("This form was already saved with other values."))
        #expect(answer.body.contains(#"value="Second content""#))
        #expect(try await browser.rows(named: "Second content") == 0)
        let again = try Form(sheetOf: answer).with("name", "Second content").with("diet", "herbivorous")
        #expect(again["draft"] != form["draft"] && again["id"] != form["id"])
        #expect(try await browser.post("/admin/animals", again).status == 303)
        #expect(try await browser.rows(named: "First content") == 1)
        #expect(try await browser.rows(named: "Second content") == 1)
    }

    @Test("An invalid form answers 422 with its text and advice, and can then be saved")
    func invalid() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("  ").with("diet", "vegan")
        let answer = try await browser.post("/admin/animals", form)
        #expect(answer.status == 422)
        #expect(answer.body.contains("The animal needs a name."))
        #expect(answer.body.contains("Choose one of: herbivorous, carnivorous, omnivorous."))
        #expect(
            try await browser.post("/admin/animals", form.with("name", "Mended").with("diet", "omnivorous")).status
                == 303)
        #expect(try await browser.rows(named: "Mended") == 1)
    }

    @Test("A text above a million bytes is rejected with advice", arguments: [1_000_001])
    func tooLong(count: Int) async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.post(
            "/admin/animals", try await browser.newAnimal(String(repeating: "a", count: count)))
        #expect(answer.status == 422)
        #expect(answer.body.contains("Shorten this text"))
    }

    @Test("Unknown, unstored and reserved fields have no effect")
    func unknownFields() async throws {
        let browser = Browser(try .shared)
        let name = Unique.name("Mass ")
        var form = try await browser.newCategory(name)
        for (field, value) in [
            ("animals", "x"), ("aviary_version", "99"), ("author", "eve"), ("wings", "2"), ("changeset", "x"),
        ] {
            form.add(field, value)
        }
        #expect(try await browser.post("/admin/animal-categories", form).status == 303)
        let stored = try await browser.sheet(of: "animal-categories", try #require(form["id"]))
        #expect(stored["version"] != "99")
    }

    @Test("The last value of a repeated field counts")
    func repeated() async throws {
        let browser = Browser(try .shared)
        var form = try await browser.newAnimal("First of two")
        form.add("name", "Last of two")
        #expect(try await browser.post("/admin/animals", form).status == 303)
        #expect(try await browser.rows(named: "Last of two") == 1)
        #expect(try await browser.rows(named: "First of two") == 0)
    }

    @Test(
        "A text keeps all its characters",
        arguments: ["שלום", "🦜🏽", "e\u{301}", "a\tb", "  spaces  ", "+&=%;", "𝔄viary"])
    func characters(name: String) async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal(name)
        let page = try await browser.get("/admin/animals/\(id)")
        let shown = try #require(page.source.firstMatch(of: /name="name" value="([^"]*)"/))
        #expect(Markup.unescaped(shown.1).utf8.elementsEqual(name.utf8))
    }
}

@Suite("Save and add another", .server)
struct AddAnotherTests {
    @Test("“Save and add another” stores the record and opens a new sheet with a notice")
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
        #expect(page.body.contains("Saved “One of many”. Add the next one here."))
        let next = try Form(sheetOf: page)
        #expect(next["draft"] != form["draft"] && next["id"] != form["id"])
        #expect(address.contains("draft=\(next["draft"] ?? "none")&"))
        #expect(try await browser.rows(named: "One of many") == 1)
    }

    @Test("The sheet of an existing record does not offer “Save and add another”")
    func edit() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("There already")
        #expect(try await !browser.get("/admin/animals/\(id)").body.contains("Save and add another"))
    }
}
