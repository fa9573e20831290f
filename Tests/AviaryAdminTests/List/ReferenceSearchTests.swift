import Aviary
import AviaryTesting
import Foundation
import Testing

@testable import AviaryAdmin

@Model
private struct Writer {
    @Attribute(.required) var name: String
    var country = ""
    @Relationship(deleteRule: .cascade, inverse: \Novel.writer) var novels: Related<Novel>
}

@Model
private struct Novel {
    @Attribute(.required, .fullText) var title: String
    var writer: Reference<Writer>?
}

@Model
private struct Visit {
    var day: CalendarDate
    @Relationship(deleteRule: .cascade, inverse: \Ticket.visit) var tickets: Related<Ticket>
}

@Model
private struct Ticket {
    var visit: Reference<Visit>
}

private struct Bookshop: AviaryApp {
    static let clerk = Role("clerk", .allow(.view, on: Novel.self))

    var admin: some Admin {
        ModelAdmin(Novel.self).columns(\.title).search(\.title, \.writer)
        ModelAdmin(Writer.self)
    }
    var roles: [Role] { [Self.clerk] }
}

/// A bookshop whose writers have titles from a closure.
private struct Library: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Novel.self).columns(\.title).search(\.title, \.writer)
        ModelAdmin(Writer.self).title { "\($0.name), writer" }
    }
}

private struct Museum: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Ticket.self).search(\.visit)
        ModelAdmin(Visit.self)
    }
}

@Suite("A search through references")
struct ReferenceSearchTests {
    private func serve(_ body: (TestApplication) async throws -> Void) async throws {
        try await TestApplication.serve(Bookshop.self) { application in
            let jane = Writer(name: "Jane Austen"), mary = Writer(name: "Mary Shelley")
            try await application.store().submit([
                .insert(jane), .insert(mary), .insert(Novel(title: "Emma", writer: Reference(jane))),
                .insert(Novel(title: "Persuasion", writer: Reference(jane))),
                .insert(Novel(title: "Frankenstein", writer: Reference(mary))), .insert(Novel(title: "Jane Eyre")),
            ])
            try await body(application)
        }
    }

    @Test(
        "Each word is in a text of the record or in the title of the other record",
        arguments: [
            ("jane", ["Emma", "Jane Eyre", "Persuasion"]), ("sten", ["Emma", "Persuasion"]),
            ("emma%20austen", ["Emma"]), ("shelley", ["Frankenstein"]), ("emma%20shelley", []),
            ("auste%20stein", []), ("austen,%20emma", ["Emma"]), ("jane%20austen,%20-", []),
        ])
    func found(words: String, titles: [String]) async throws {
        try await serve { application in
            let page = try await application.signedIn(as: "ada").get("/admin/novels?q=\(words)&sort=title")
            #expect(page.status == 200 && page.rows.map(\.title) == titles)
        }
    }

    @Test("A role that must not see the other records does not find by them, and the page does not name them")
    func hidden() async throws {
        try await serve { application in
            let browser = try await application.signedIn(as: "cleo", role: Bookshop.clerk)
            let found = try await browser.get("/admin/novels?q=jane")
            #expect(found.rows.map(\.title) == ["Jane Eyre"])
            #expect(try await !browser.get("/admin/novels?q=unheard").body.contains("Writer"))
        }
    }

    @Test("A search without a result names the reference among what it looked at")
    func explained() async throws {
        try await serve { application in
            let page = try await application.signedIn(as: "ada").get("/admin/novels?q=unheard")
            #expect(page.body.contains("In “Title”, the words are found anywhere."))
            #expect(page.body.contains("In “Writer”, the words are searched in “Name”."))
        }
    }

    @Test("For titles that a closure returns, the page names all texts of the other model, which the search looks at")
    func closure() async throws {
        try await TestApplication.serve(Library.self) { application in
            let jane = Writer(name: "Jane Austen", country: "England")
            let emma = Novel(title: "Emma", writer: Reference(jane))
            try await application.store().submit([.insert(jane), .insert(emma)])
            let browser = try await application.signedIn(as: "ada")
            #expect(try await browser.get("/admin/novels?q=england").rows.map(\.title) == ["Emma"])
            let page = try await browser.get("/admin/novels?q=writer").body
            #expect(page.contains("In “Title”, the words are found anywhere."))
            #expect(page.contains("In “Writer”, the words are searched in “Name” and “Country”."))
        }
    }

    @Test("A reference to records whose titles have no text is an error at the start")
    func withoutText() {
        let error = #expect(throws: SchemaError.self) { try AppDefinition(Museum.self) }
        #expect(
            error?.description == "Ticket.visit is searched, but the title of Visit has no text. Leave it out of "
                + ".search, or declare another ModelAdmin(Visit.self).title.")
    }
}
