import Foundation
import Testing

@Suite("Drafts in the browser", .server)
struct DraftKeepingTests {
    @Test("A new sheet without input creates no draft, and a draft ends when its input is removed")
    func nothingTyped() async throws {
        let browser = Browser(try .shared)
        let empty = try Form(sheetOf: try await browser.get("/admin/animals/new"))
        #expect(try await browser.post("/admin/animals", empty).status == 422)
        #expect(browser.draftCookies.isEmpty)
        #expect(try await !browser.get("/admin/animals").body.contains("Unsaved"))
        #expect(try await browser.post("/admin/animals", empty.with("name", "Typed").with("diet", "")).status == 422)
        #expect(browser.draftCookies.count == 1)
        // The draft ends when the text is removed again.
        #expect(try await browser.post("/admin/animals", empty).status == 422)
        #expect(browser.draftCookies.isEmpty)
    }

    @Test("A script gets 204 and one HttpOnly, SameSite=Strict cookie")
    func fetch() async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.keep(try await browser.newAnimal("Kept by a script"))
        #expect(answer.status == 204)
        #expect(answer.body == "")
        let cookie = try #require(answer.setCookies.first)
        #expect(answer.setCookies.count == 1)
        #expect(cookie.attributes.isSuperset(of: ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=604800"]))
        #expect(cookie.name.hasPrefix("d-\(try Server.shared.port)."))
        #expect(cookie.size <= 3000)
        #expect(!cookie.value.contains("Kept"))
    }

    @Test("Saving a draft by hand redirects to the list, which shows the draft")
    func form() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Kept by hand").with("return", "sort=-name")
        let answer = try await browser.post("/admin/animals/draft", form)
        #expect(answer.status == 303)
        #expect(answer.location == "/admin/animals?sort=-name")
        #expect(
            try await browser.get("/admin/animals?sort=-name").body.contains(
                "Unsaved: Add animal</strong>, <bdi>“Kept by hand”</bdi>"))
    }

    @Test("The server stores nothing of a draft, and no other browser sees it")
    func nowhereElse() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Private draft")
        _ = try await browser.keep(form)
        #expect(try await browser.rows(named: "Private draft") == 0)
        #expect(try await !browser.exists("animals", try #require(form["id"])))
        #expect(try await !Browser(beside: browser).get("/admin").body.contains("Unsaved"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: try Server.shared.data)
        for file in files {
            let content = FileManager.default.contents(atPath: try Server.shared.data + "/" + file) ?? Data()
            #expect(content.range(of: Data("Private draft".utf8)) == nil, "\(file)")
        }
    }

    @Test("A draft continues as typed, including invalid values, under the same identifiers")
    func continued() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Half-")
        _ = try await browser.keep(form.with("diet", "veg"))
        let page = try await browser.get("/admin/animals/new")
        #expect(page.body.contains(#"name="name" value="Half-""#))
        #expect(page.body.contains("Draft saved in this browser."))
        let sheet = try Form(sheetOf: page)
        #expect(sheet["draft"] == form["draft"] && sheet["id"] == form["id"])
    }

    @Test("A newer copy replaces the older one")
    func newer() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Older")
        _ = try await browser.keep(form)
        _ = try await browser.keep(form.with("name", "Newer"))
        #expect(browser.draftCookies.count == 1)
        #expect(try await browser.get("/admin/animals/new").body.contains(#"value="Newer""#))
    }

    @Test("An edit's draft appears in its own sheet and does not change the stored record")
    func edit() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Stored")
        _ = try await browser.keep(
            try await browser.sheet(of: "animals", id).with("name", "Edited").with("diet", "omnivorous"))
        #expect(try await browser.get("/admin/animals/\(id)").body.contains(#"name="name" value="Edited""#))
        #expect(try await browser.rows(named: "Stored") == 1)
        #expect(
            try await Browser(beside: browser).get("/admin/animals/\(id)").body.contains(#"name="name" value="Stored""#)
        )
    }

    @Test("A draft survives a restart of the server")
    func restart() async throws {
        var browser: Browser, again: Server?
        repeat {
            let server = try await Server.start()
            browser = Browser(server)
            _ = try await browser.keep(try await browser.newAnimal("Survivor"))
            await server.kill()
            do {
                // The port is part of the cookie's name.
                again = try await Server.start(in: server.directory, port: server.port)
            } catch let error as Server.NotStarted where error.errors.contains("is in use") {
                // Another program has taken the port meanwhile.
                again = nil
            }
        } while again == nil
        #expect(try await browser.get("/admin/animals/new").body.contains(#"value="Survivor""#))
        await again?.kill()
    }

    @Test("A list shows the drafts of its model, and the overview shows all drafts")
    func several() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.keep(try await browser.newAnimal("One of several"))
        _ = try await browser.keep(try await browser.newCategory("Of another kind"), of: "animal-categories")
        let animals = try await browser.get("/admin/animals").body
        #expect(animals.contains("“One of several”") && !animals.contains("“Of another kind”"))
        let overview = try await browser.get("/admin").body
        #expect(overview.contains("“One of several”") && overview.contains("“Of another kind”"))
    }
}
