import AviaryLocalization
import Foundation
import Testing

@testable import AviaryDomain

@Suite("The time zone of pages")
struct PageTimeZoneTests {
    private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private let seen = property("seen", .date, isOptional: true)

    @Test(
        "A point in time is shown as a clock of the zone shows it, with the distance from UTC",
        arguments: [
            ("Europe/Berlin", "2026-11-20T18:39:55.123Z", "20 Nov 2026, 19:39 UTC+1"),
            ("Europe/Berlin", "2026-07-20T23:30:00.000Z", "21 Jul 2026, 01:30 UTC+2"),
            ("America/St_Johns", "2026-01-01T02:00:00.000Z", "31 Dec 2025, 22:30 UTC-3:30"),
            ("Africa/Abidjan", "2026-01-01T02:00:00.000Z", "1 Jan 2026, 02:00 UTC"),
        ])
    func shown(name: String, stored: String, expected: String) throws {
        let zone = try Self.zone(name)
        #expect(PageTimeZone.$current.withValue(zone) { seen.words(for: .text(stored)) } == expected)
        #expect(seen.words(for: .text(stored))?.hasSuffix(" UTC") == true)
    }

    @Test("The words are in the language of the page")
    func language() async throws {
        let zone = try Self.zone("Europe/Berlin")
        let words = await Language.german.use {
            PageTimeZone.$current.withValue(zone) { DateTextFormatter.dateAndTime("2026-11-20T18:39:55.123Z") }
        }
        #expect(words == "20. Nov. 2026, 19:39 UTC+1")
    }

    @Test(
        "A typed time is a time of the zone; the first of two, and in UTC with a Z",
        arguments: [
            ("2026-11-20T19:39:55.123", "2026-11-20T18:39:55.123Z"), ("2026-07-21T01:30", "2026-07-20T23:30:00.000Z"),
            ("2026-10-25T02:30", "2026-10-25T00:30:00.000Z"), ("2026-10-25T01:30:00.000Z", "2026-10-25T01:30:00.000Z"),
            ("2026-03-29T01:59", "2026-03-29T00:59:00.000Z"), ("2026-03-29T03:00", "2026-03-29T01:00:00.000Z"),
        ])
    func typed(text: String, stored: String) throws {
        let zone = try Self.zone("Europe/Berlin")
        PageTimeZone.$current.withValue(zone) {
            #expect(seen.parse(typed: text) == .success(.text(stored)))
        }
    }

    @Test("A time that the clocks skip is rejected, and a text that is no time as in UTC")
    func skipped() throws {
        let zone = try Self.zone("Europe/Berlin")
        PageTimeZone.$current.withValue(zone) {
            #expect(
                seen.parse(typed: "2026-03-29T02:30")
                    == .failure(
                        FieldProblem(
                            property: "seen",
                            message: "Enter another time. This one doesn’t exist, because the clocks go forward.")))
            #expect(seen.parse(typed: "noon") == seen.parse("noon"))
            #expect(seen.parse(typed: "") == .success(.null))
        }
    }

    @Test(
        "Every shown time is read as the same point in time, or is one of two",
        arguments: [
            "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia",
        ])
    func roundTrip(name: String) throws {
        let zone = try Self.zone(name)
        // From 1999 to 2030, at another time on each day.
        for step in stride(from: 915_148_800, to: 1_893_456_000, by: 37 * 60 * 31) {
            let date = Date(timeIntervalSince1970: Double(step)), stored = try #require(date.rfc3339)
            let shown = try #require(zone.clockTime(of: stored)), moments = zone.moments(ofClockTime: shown) ?? []
            guard moments.contains(date), moments.count <= 2 else {
                Issue.record("\(name): \(stored) is shown as \(shown), which means \(moments)")
                return
            }
        }
    }

    @Test("Days of a filter are days of the zone, also those with 23 and 25 hours")
    func filters() throws {
        let zone = try Self.zone("Europe/Berlin")
        let filter = try #require(ListFilter(seen))
        func condition(_ from: String, _ to: String) -> QueryExpression? {
            filter.condition(FilterSetting("seen", lower: .text(from), upper: .text(to)))
        }
        func between(_ lower: String, _ upper: String) -> QueryExpression {
            .all([
                .ordered(.greaterOrEqual, .property("seen"), .constant(.text(lower))),
                .ordered(.less, .property("seen"), .constant(.text(upper))),
            ])
        }
        PageTimeZone.$current.withValue(zone) {
            #expect(
                condition("2026-11-20", "2026-11-20")
                    == between("2026-11-19T23:00:00.000Z", "2026-11-20T23:00:00.000Z"))
            #expect(
                condition("2026-03-29", "2026-03-29")
                    == between("2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"))
            #expect(
                condition("2026-10-25", "2026-10-25")
                    == between("2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"))
        }
        #expect(condition("2026-11-20", "2026-11-20") == between("2026-11-20", "2026-11-20U"))
    }
}
