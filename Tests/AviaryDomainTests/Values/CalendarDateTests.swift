import AviaryDomain
import Foundation
import TestSupport
import Testing

@Suite("Calendar dates")
struct CalendarDateTests {
    @Test(
        "February 29 exists only in leap years",
        arguments: [
            (2024, true), (2023, false), (2000, true), (1900, false), (2100, false), (2400, true), (0, true),
        ])
    func leapYears(year: Int, hasLeapDay: Bool) {
        #expect((CalendarDate(year: year, month: 2, day: 29) != nil) == hasLeapDay)
    }

    @Test(
        "A day that does not exist is nil",
        arguments: [
            (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2026, 11, 31), (-1, 1, 1),
            (10_000, 1, 1),
        ])
    func invalid(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        "A calendar date parses from and prints as YYYY-MM-DD",
        arguments: ["2026-11-20", "0000-01-01", "0987-06-05", "9999-12-31"])
    func text(text: String) {
        #expect(CalendarDate(text)?.description == text)
    }

    @Test(
        "Malformed text is nil",
        arguments: [
            "", "2026-11-2", "2026-1-20", "26-11-20", "2026/11/20", "20261120", "2026-02-29", "2026-11-20T00:00",
            "+026-11-20",
            "2026-11-2é", "२०२६-११-२०",
        ])
    func malformed(text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test("Days and their texts sort chronologically")
    func order() throws {
        let texts = ["0999-12-31", "1969-12-31", "1970-01-01", "2025-12-31", "2026-01-01", "2026-01-31", "2026-02-01"]
        let dates = texts.compactMap { CalendarDate($0) }
        #expect(dates.count == texts.count)
        var generator = TestSeed.generator()
        #expect(dates.shuffled(using: &generator).sorted() == dates)
        #expect(texts.sorted() == texts)
    }

    @Test("The current day depends on the time zone")
    func today() throws {
        let east = try #require(TimeZone(secondsFromGMT: 14 * 3600))
        let west = try #require(TimeZone(secondsFromGMT: -12 * 3600))
        #expect(CalendarDate.today(in: east) > CalendarDate.today(in: west))
    }

    @Test("The valid days match those of Foundation")
    func oracle() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            // Foundation switches to the Julian calendar before 1582.
            let year = Int.random(in: 1583...9999, using: &generator)
            let month = Int.random(in: 0...13, using: &generator)
            let day = Int.random(in: 0...32, using: &generator)
            let exists = DateComponents(calendar: calendar, year: year, month: month, day: day).isValidDate
            #expect((CalendarDate(year: year, month: month, day: day) != nil) == exists, "\(year)-\(month)-\(day)")
        }
    }

    @Test("A calendar date is encoded as its text, and an invalid text cannot be decoded")
    func coding() throws {
        let date = try #require(CalendarDate("2024-02-29"))
        let data = try JSONEncoder().encode([date])
        #expect(String(decoding: data, as: UTF8.self) == "[\"2024-02-29\"]")
        #expect(try JSONDecoder().decode([CalendarDate].self, from: data) == [date])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([CalendarDate].self, from: Data("[\"2023-02-29\"]".utf8))
        }
    }
}

@Suite("A CalendarDate and a point in time convert into each other with a time zone")
struct CalendarDateConversionTests {
    @Test(
        "A point in time is on another day in another time zone",
        arguments: [
            ("2026-11-20T23:30:00Z", "UTC", "2026-11-20"), ("2026-11-20T23:30:00Z", "Asia/Tokyo", "2026-11-21"),
            ("2026-11-20T02:30:00Z", "America/New_York", "2026-11-19"),
            ("2026-07-01T22:30:00Z", "Europe/Berlin", "2026-07-02"),
            ("2026-12-01T22:30:00Z", "Europe/Berlin", "2026-12-01"), ("1969-12-31T23:59:59.5Z", "UTC", "1969-12-31"),
        ])
    func day(time: String, zone: String, day: String) throws {
        let date = try #require(Date(rfc3339: time)), timeZone = try #require(TimeZone(identifier: zone))
        #expect(CalendarDate(date, in: timeZone)?.description == day)
    }

    @Test(
        "A time whose year is not one from 0 to 9999 is on no day",
        arguments: [253_402_300_800, -62_167_219_201, 1e15, -1e15, 1e300, .infinity, .nan] as [Double])
    func outside(seconds: Double) {
        #expect(CalendarDate(Date(timeIntervalSince1970: seconds), in: .gmt) == nil)
    }

    @Test(
        "A day begins with its first moment, also when the clock skips or repeats midnight",
        arguments: [
            ("2026-11-20", "UTC", "2026-11-20T00:00:00Z"), ("2026-11-20", "Asia/Tokyo", "2026-11-19T15:00:00Z"),
            ("2026-11-20", "America/New_York", "2026-11-20T05:00:00Z"),
            // At midnight the clock was put forward to 1 o'clock.
            ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"),
            // At midnight the clock was put back to 23 o'clock of the day before.
            ("2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00Z"),
            // At 1 o'clock the clock was put back to midnight.
            ("2021-10-29", "Asia/Amman", "2021-10-28T21:00:00Z"),
            ("2025-11-02", "America/Havana", "2025-11-02T04:00:00Z"),
            // Samoa had no such day.
            ("2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z"),
        ])
    func start(day: String, zone: String, time: String) throws {
        let date = try #require(CalendarDate(day)), timeZone = try #require(TimeZone(identifier: zone))
        #expect(date.start(in: timeZone) == Date(rfc3339: time))
    }

    @Test(
        "A day's beginning is on that day", arguments: ["UTC", "Europe/London", "America/Sao_Paulo", "Asia/Kathmandu"])
    func both(zone: String) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<2_000 {
            let date = CalendarDate(
                year: Int.random(in: 1900...2100, using: &generator), month: Int.random(in: 1...12, using: &generator),
                day: Int.random(in: 1...28, using: &generator))
            let day = try #require(date)
            #expect(CalendarDate(day.start(in: timeZone), in: timeZone) == day)
            #expect(CalendarDate(day.start(in: timeZone).addingTimeInterval(-1), in: timeZone) != day)
        }
    }
}

@Suite("The current date")
struct TodayTests {
    @Test("While a request is answered, today is the day of the zone of the pages")
    func ofPages() throws {
        // The clocks of these zones never show the same day.
        let east = try #require(TimeZone(secondsFromGMT: 14 * 3600)),
            west = try #require(TimeZone(secondsFromGMT: -11 * 3600))
        let days = [east, west].map { zone in
            PageTimeZone.$current.withValue(zone) { CalendarDate.today as CalendarDate }
        }
        #expect(days[0] > days[1])
    }
}

@Suite("Arithmetic of calendar dates")
struct CalendarDateArithmeticTests {
    @Test(
        "Months are added first, and a month without the day has its last day",
        arguments: [
            ("2026-01-31", 1, 0, "2026-02-28"), ("2024-01-31", 1, 0, "2024-02-29"), ("2026-01-31", 1, 1, "2026-03-01"),
            ("2026-03-31", -1, 0, "2026-02-28"), ("2026-11-25", 14, 0, "2028-01-25"),
            ("2026-01-01", -13, 0, "2024-12-01"),
            ("2026-12-31", 0, 1, "2027-01-01"), ("2026-03-01", 0, -1, "2026-02-28"), ("0000-01-01", 0, 0, "0000-01-01"),
        ])
    func adding(date: String, months: Int, days: Int, result: String) throws {
        let start = try #require(CalendarDate(date))
        #expect(start.adding(months: months, days: days)?.description == result)
    }

    @Test("A year outside 0 to 9999 is nil, at any distance", arguments: [1, 12, Int.max, Int.min])
    func outside(number: Int) throws {
        let last = try #require(CalendarDate("9999-12-31")), first = try #require(CalendarDate("0000-01-01"))
        let earlier = number == .min ? number : -number
        #expect(last.adding(months: number) == nil && last.adding(days: number) == nil)
        #expect(first.adding(months: earlier) == nil && first.adding(days: earlier) == nil)
    }

    @Test("The days between two dates lead from one to the other")
    func between() throws {
        var generator = SeededGenerator(seed: 23)
        for _ in 0..<2_000 {
            let dates = (0..<2).compactMap { _ in
                CalendarDate(
                    year: Int.random(in: 0...9999, using: &generator), month: Int.random(in: 1...12, using: &generator),
                    day: Int.random(in: 1...28, using: &generator))
            }
            let days = dates[1].days(since: dates[0])
            #expect(dates[0].adding(days: days) == dates[1] && dates[0].days(since: dates[1]) == -days)
            #expect((days > 0) == (dates[1] > dates[0]))
        }
    }
}
