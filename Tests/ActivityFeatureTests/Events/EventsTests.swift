import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("The events page")
struct EventsTests {
    private func model(
        _ fixture: ActivityFixture, _ query: String = "", after: FetchCursor? = nil, _ role: Role = .admin
    ) async throws -> EventsViewModel {
        var model = try EventsViewModel(
            query: try ActivityQuery(FormEncoding.decode(query.utf8)), after: after,
            principal: fixture.scope(role).principal, accounts: fixture.accounts
        )
        try await model.load()
        return model
    }

    @Test("Events are listed newest first, filtered by person and date, and in pages")
    func pages() async throws {
        let fixture = try ActivityFixture()
        for number in 0..<60 {
            try await fixture.accounts.note(
                AuditEvent(
                    number.isMultiple(of: 2) ? .signIn : .signInFailed, at: fixture.now,
                    account: number.isMultiple(of: 2) ? "ada" : "bob",
                    address: "192.0.2.\(number)"
                ))
            fixture.pass(1)
        }
        let first = try await model(fixture)
        #expect(first.events?.count == 50 && first.events?.first?.address == "192.0.2.59")
        let second = try await model(fixture, after: first.next)
        #expect(second.events?.map(\.address).last == "192.0.2.0" && second.events?.count == 10 && second.next == nil)
        #expect(try await model(fixture, "person=bob").events?.count == 30)
        #expect(try await model(fixture, "to=2027-01-14").events?.isEmpty == true)
        let words = EventsView(model: first, schema: fixture.schema).words
        #expect(words.contains("Sign-in failed") && words.contains("192.0.2.59"))
    }

    @Test("A repeated event within an hour is counted, and a different event has its own entry")
    func counted() async throws {
        let fixture = try ActivityFixture()
        func note(_ account: String?, _ address: String, _ subject: String? = "Category") async throws {
            try await fixture.accounts.note(
                AuditEvent(.export, at: fixture.now, account: account, address: address, subject: subject))
        }
        for _ in 0..<3 { try await note("ada", "192.0.2.1") }
        try await note("ada", "192.0.2.2")
        try await note("bob", "192.0.2.1")
        try await note("ada", "192.0.2.1", "Animal")
        fixture.pass(3601)
        try await note("ada", "192.0.2.1")
        let events = try await model(fixture).events ?? []
        #expect(events.count == 5 && events.compactMap(\.count) == [3])
        #expect(
            EventsView(model: try await model(fixture), schema: fixture.schema).words.contains("3 times in one hour")
        )
        #expect(try await fixture.accounts.exports(by: "ada", before: fixture.now) == 1)
        #expect(try await fixture.accounts.exports(by: "ada", before: fixture.now.addingTimeInterval(-60)) == 6)
    }

    @Test("Denied requests are counted per hour, several in one write")
    func refused() async throws {
        let fixture = try ActivityFixture()
        func note(_ count: Int, _ subject: String) async throws {
            try await fixture.accounts.note(
                AuditEvent(.refused, at: fixture.now, account: "eve", address: "192.0.2.1", subject: subject),
                count: count)
        }
        try await note(1, "POST /admin/animals")
        try await note(40, "POST /admin/animals")
        try await note(3, "GET /admin/backups")
        try await note(.max, "GET /admin/backups")
        let shown = try await model(fixture)
        #expect(Set((shown.events ?? []).map(\.count)) == [41, Int.max])
        let words = EventsView(model: shown, schema: fixture.schema).words
        #expect(words.contains("Permission denied") && words.contains("41 times in one hour"))
        #expect(words.contains("POST /admin/animals"))
    }

    @Test("The subject of an export is the name of a model or of a file")
    func subjects() async throws {
        let fixture = try ActivityFixture()
        for subject in ["AnimalCategory", "Category", "aviary-2027-01-15.jsonl.gz"] {
            try await fixture.accounts.note(AuditEvent(.export, at: fixture.now, account: "ada", subject: subject))
        }
        let words = EventsView(model: try await model(fixture), schema: fixture.schema).words
        #expect(words.contains("aviary-2027-01-15.jsonl.gz") && words.contains("Category"))
        let german = Language.german.adding(["category": "Kategorie"])
        try await german.use {
            let words = EventsView(model: try await model(fixture), schema: fixture.schema).words
            #expect(
                words.contains("Kategorie") && words.contains("AnimalCategory"),
                "what is no model any more keeps its name")
        }
    }

    @Test("A reversed date range shows a notice with a link that swaps the dates")
    func reversedRange() async throws {
        let fixture = try ActivityFixture()
        let view = EventsView(model: try await model(fixture, "from=2027-01-16&to=2027-01-15"), schema: fixture.schema)
        #expect(view.words.contains("The start (16 Jan 2027) is after the end (15 Jan 2027)"))
        #expect(view.words.matches(of: /is after the end/).count == 1, "It is told once.")
        #expect(view.html.contains(#"href="/admin/activity/events?from=2027-01-15&amp;to=2027-01-16">Swap</a>"#))
        #expect(!view.words.contains("No results"), "What the notice says needs no other words.")
    }

    @Test("A cursor of another query is rejected")
    func otherPlace() async throws {
        let fixture = try ActivityFixture()
        for _ in 0..<60 {
            try await fixture.accounts.note(AuditEvent(.signIn, at: fixture.now, account: "ada", address: "192.0.2.1"))
        }
        let next = try #require(try await model(fixture).next)
        await #expect(throws: ActivityQueryError.self) { try await model(fixture, "person=ada", after: next) }
    }

    @Test("Only a role that manages accounts can view events")
    func forbidden() async throws {
        let fixture = try ActivityFixture()
        for role in [Role.viewer, .editor, .keeper] {
            await #expect(throws: AccessError.forbidden) { _ = try await model(fixture, "", role) }
        }
    }
}
