import Aviary
import AviaryTesting
import Testing

/// An application whose watchers do not show their nests.
private struct Watching: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Nest.self).hidden(\.isbn, \.height)
        ModelAdmin(Watcher.self).hidden(\.nests)
        ModelAdmin(Egg.self)
    }
}

private struct HiddenName: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Nest.self).hidden(\.name)
        ModelAdmin(Watcher.self)
        ModelAdmin(Egg.self)
    }
}

private struct HiddenInSection: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Nest.self).hidden(\.isbn).section("Numbers", \.isbn)
        ModelAdmin(Watcher.self)
        ModelAdmin(Egg.self)
    }
}

@Suite("Properties that a sheet leaves out")
struct HiddenFieldTests {
    @Test("A new record has the defaults of hidden properties, and a changed one keeps its values")
    func values() async throws {
        try await TestApplication.serve(Watching.self) { application in
            let nests = try await application.store().repository(for: Nest.self)
            let browser = try await application.signedIn(as: "ada", role: .editor)
            var sheet = try await browser.get("/admin/nests/new").sheet()
            #expect(sheet["isbn"] == nil && sheet["height"] == nil)
            sheet["name"] = "Oak"
            sheet["height"] = "9"
            #expect(try await browser.submit(sheet).status == 303)
            let nest = try #require(try await nests.fetchAll().first)
            #expect(nest.height == 2 && nest.isbn == nil)
            try await nests.update(nest.id) { $0.height = 7 }
            sheet = try await browser.get("/admin/nests/\(nest.id)").sheet()
            sheet["name"] = "Elm"
            #expect(try await browser.submit(sheet).status == 303)
            #expect(try await nests.find(nest.id)?.height == 7)
        }
    }

    @Test("A many-to-many relation is hidden on one side and shown on the other")
    func relations() async throws {
        try await TestApplication.serve(Watching.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            let watcher = try await browser.get("/admin/watchers/new").sheet()
            let nest = try await browser.get("/admin/nests/new").sheet()
            #expect(watcher["nests.linked"] == nil && nest["watchers.linked"] != nil)
        }
    }

    @Test("A property without which no record can be added, or with a place in the sheet, cannot be hidden")
    func mistakes() async throws {
        await #expect(throws: SchemaError.self) { try await TestApplication.serve(HiddenName.self) { _ in } }
        await #expect(throws: SchemaError.self) { try await TestApplication.serve(HiddenInSection.self) { _ in } }
    }
}
