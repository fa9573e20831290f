import Aviary
import AviaryTesting
import Foundation
import Testing

@Model
struct Departure {
    @Attribute(.required) var name: String
    var leaves: Date
    var day: CalendarDate?
}

private struct Station: AviaryApp {
    var admin: some Admin { ModelAdmin(Departure.self).columns(\.name, \.leaves).filters(\.leaves) }
    var timeZone: TimeZone { TimeZone(identifier: "Europe/Berlin") ?? .gmt }
    var languages: [Language] { [.english, .german] }
}

@Suite("The time zone of an admin")
struct TimeZoneTests {
    private func serve(_ body: (TestBrowser, Repository<Departure>) async throws -> Void) async throws {
        try await TestApplication.serve(Station.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            try await body(browser, try await application.store().repository(for: Departure.self))
        }
    }

    private func moment(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test("A sheet names the zone at the field, and a typed time is stored in UTC")
    func entered() async throws {
        try await serve { browser, departures in
            let page = try await browser.get("/admin/departures/new?fresh=1")
            #expect(page.body.contains("Leaves (Europe/Berlin)"))
            #expect(page.body.contains("data-zone=\"Europe/Berlin\""))
            var sheet = try page.sheet()
            sheet["name"] = "ICE"
            sheet["leaves"] = "2026-07-20T08:15"
            #expect(try await browser.submit(sheet).status == 303)
            let stored = try #require(try await departures.fetchAll().first)
            #expect(stored.leaves == (try moment("2026-07-20T06:15:00Z")))
            let again = try await browser.get("/admin/departures/\(stored.id)").sheet()
            #expect(again["leaves"] == "2026-07-20T08:15:00.000")
        }
    }

    @Test("A list shows times of the zone with their distance from UTC, in the language of the browser")
    func listed() async throws {
        try await serve { browser, departures in
            try await departures.insert(Departure(name: "ICE", leaves: try moment("2026-11-20T22:30:00Z")))
            #expect(try await browser.get("/admin/departures").body.contains("20 Nov 2026, 23:30 UTC+1"))
            let german = try await browser.get("/admin/departures", headers: ["Accept-Language": "de"])
            #expect(german.body.contains("20. Nov. 2026, 23:30 UTC+1"))
        }
    }

    @Test("A filter by days has the days of the zone")
    func filtered() async throws {
        try await serve { browser, departures in
            try await departures.insert(Departure(name: "Late", leaves: try moment("2026-11-19T23:30:00Z")))
            try await departures.insert(Departure(name: "Later", leaves: try moment("2026-11-20T23:30:00Z")))
            let query = "filter.leaves.from=2026-11-20&filter.leaves.to=2026-11-20"
            #expect(try await browser.get("/admin/departures?\(query)").rows.map(\.title) == ["Late"])
        }
    }

    @Test("The second of two times in a repeated hour is in UTC, and stays when the form is saved")
    func repeated() async throws {
        try await serve { browser, departures in
            let second = try moment("2026-10-25T01:30:00Z")
            let departure = Departure(name: "ICE", leaves: second)
            try await departures.insert(departure)
            var sheet = try await browser.get("/admin/departures/\(departure.id)").sheet()
            #expect(sheet["leaves"] == "2026-10-25T01:30:00.000Z")
            sheet["name"] = "IC"
            #expect(try await browser.submit(sheet).status == 303)
            #expect(try await departures.find(departure.id)?.leaves == second)
        }
    }

    @Test("A time that the clocks skip is rejected at its field")
    func skipped() async throws {
        try await serve { browser, departures in
            var sheet = try await browser.get("/admin/departures/new?fresh=1").sheet()
            sheet["name"] = "ICE"
            sheet["leaves"] = "2026-03-29T02:30"
            let answer = try await browser.submit(sheet)
            #expect(answer.status == 422 && answer.body.contains("This one doesn’t exist"))
            #expect(try await departures.fetchCount() == 0)
        }
    }
}
