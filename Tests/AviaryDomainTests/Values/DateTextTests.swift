import AviaryDomain
import Foundation
import TestSupport
import Testing

@Suite("RFC 3339 text with milliseconds in UTC")
struct DateTextTests {
    @Test(
        "A known date has the expected text in both directions",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.000Z"),
            (-0.001, "1969-12-31T23:59:59.999Z"),
            (-86_400, "1969-12-31T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_763_664_000.5, "2025-11-20T18:40:00.500Z"),
            (-62_167_219_200, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
        ] as [(Double, String)])
    func knownInstants(seconds: Double, text: String) {
        #expect(Date(timeIntervalSince1970: seconds).rfc3339 == text)
        #expect(Date(rfc3339: text)?.rfc3339 == text)
    }

    @Test(
        "A date rounds to the nearest millisecond, even across the end of a year",
        arguments: [
            (0.0004, "1970-01-01T00:00:00.000Z"),
            (0.0006, "1970-01-01T00:00:00.001Z"),
            (-0.0004, "1970-01-01T00:00:00.000Z"),
            (-0.0006, "1969-12-31T23:59:59.999Z"),
            (1_767_225_599.9996, "2026-01-01T00:00:00.000Z"),
        ] as [(Double, String)])
    func rounding(seconds: Double, text: String) {
        #expect(Date(timeIntervalSince1970: seconds).rfc3339 == text)
    }

    @Test(
        "A date outside the years 0 to 9999, infinity and NaN have no text",
        arguments: [
            253_402_300_800, -62_167_219_201, 1e300, .infinity, -.infinity, .nan,
        ] as [Double])
    func outOfRange(seconds: Double) {
        #expect(Date(timeIntervalSince1970: seconds).rfc3339 == nil)
    }

    @Test(
        "Shorter forms are parsed",
        arguments: [
            ("2026-11-20T09:30", "2026-11-20T09:30:00.000Z"),
            ("2026-11-20T09:30Z", "2026-11-20T09:30:00.000Z"),
            ("2026-11-20T09:30:15", "2026-11-20T09:30:15.000Z"),
            ("2026-11-20T09:30:15.5Z", "2026-11-20T09:30:15.500Z"),
            ("2026-11-20T09:30:15.123456789Z", "2026-11-20T09:30:15.123Z"),
        ])
    func shortSpellings(text: String, canonical: String) {
        #expect(Date(rfc3339: text)?.rfc3339 == canonical)
    }

    @Test(
        "Malformed text is nil",
        arguments: [
            "", "Z", "2026-11-20", "2026-11-20 09:30", "2026-11-20T9:30", "2026-11-20T24:00", "2026-11-20T09:60",
            "2026-11-20T09:30:60", "2026-11-20T09:30:15.", "2026-11-20T09:30:15.Z", "2026-11-20T09:30:15,5",
            "2026-11-20T09:30:15.1234567890Z", "2026-11-20T09:30:", "2026-11-20T09:30:1", "2026-02-30T09:30",
            "2026-11-20T09:30+01:00", "2026-11-20T09:30ZZ", "2026-11-20T-9:30",
        ])
    func malformed(text: String) {
        #expect(Date(rfc3339: text) == nil)
    }

    @Test("The fields match those of the Foundation calendar")
    func calendarOracle() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for date in randomDates(count: 500) {
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let fields = try [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map {
                try #require($0)
            }
            let text = try #require(date.rfc3339)
            let digits = text.dropLast(5).split { !$0.isNumber }.compactMap { Int($0) }
            #expect(digits == fields, "\(text)")
        }
    }

    @Test("The text matches that of the Foundation ISO 8601 style in both directions")
    func formatOracle() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for date in randomDates(count: 500) {
            let text = try #require(date.rfc3339)
            #expect(text == date.formatted(style))
            let own = try #require(Date(rfc3339: text))
            #expect(abs(own.timeIntervalSince(try style.parse(text))) < 0.0005)
            #expect(own.rfc3339 == text)
        }
    }

    @Test("Texts sort chronologically")
    func order() {
        let dates = randomDates(count: 300).sorted()
        let texts = dates.compactMap(\.rfc3339)
        #expect(texts == texts.sorted())
    }

    /// Returns random dates in whole milliseconds, so that Foundation's truncation has no effect.
    private func randomDates(count: Int) -> [Date] {
        var generator = SeededGenerator(seed: 3339)
        return (0..<count).map { _ in
            // The years start at 1583, because Foundation switches to the Julian calendar before, and end at 9999.
            let milliseconds = Int.random(in: -12_212_553_600_000...253_402_300_799_999, using: &generator)
            return Date(timeIntervalSince1970: Double(milliseconds) / 1000 + 0.0001)
        }
    }
}
