public import Foundation

/// A date without a time of day and a time zone, such as a birthday or a due date.
///
/// The store keeps it as the `full-date` of RFC 3339, such as `2026-11-20`, whose order as text is the order of the
/// dates.
public struct CalendarDate: Hashable, Sendable, Comparable {
    /// The year, from 0 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Creates a date from its parts, or nil when the Gregorian calendar does not have such a day.
    ///
    /// - Parameters:
    ///   - year: The year, from 0 to 9999. The result is nil for any other.
    ///   - month: The month, from 1 to 12.
    ///   - day: The day of the month, from 1.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= GregorianCalendar.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a date from a string in the format `YYYY-MM-DD`.
    ///
    /// The result is nil when the string has another format or is not a day of the Gregorian calendar.
    ///
    /// - Parameter text: The string.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
            let year = decimal(digits[0..<4]), let month = decimal(digits[5..<7]), let day = decimal(digits[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Creates the date that a calendar in a time zone shows at a point in time, or nil when its year is not one from 0
    /// to 9999.
    ///
    /// ```swift
    /// let night = CalendarDate(observation.began, in: observatory.timeZone)
    /// ```
    ///
    /// - Parameters:
    ///   - date: The point in time.
    ///   - timeZone: The time zone; that of the system by default.
    public init?(_ date: Date, in timeZone: TimeZone = .current) {
        // The bound contains all years with four digits; a time zone is asked about no other time.
        guard abs(date.timeIntervalSince1970) < 1e12 else { return nil }
        let seconds = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
        let civil = GregorianCalendar.date(daysSince1970: Int((seconds / 86_400).rounded(.down)))
        guard (0...9999).contains(civil.year) else { return nil }
        self.init(unchecked: civil)
    }

    /// Returns the first point in time of the day in a time zone.
    ///
    /// ```swift
    /// let deadline = invoice.due.start(in: .gmt)
    /// ```
    ///
    /// It is midnight, except on a day whose clock skips midnight. For a day that a time zone left out, as Samoa left
    /// out 30 December 2011, it is the beginning of the following day.
    ///
    /// - Parameter timeZone: The time zone; that of the system by default.
    public func start(in timeZone: TimeZone = .current) -> Date {
        let midnight = Double(GregorianCalendar.daysSince1970(year: year, month: month, day: day) * 86_400)
        // The offset can change on the day before, on the day itself and at its end. The first of the possible
        // midnights that is on this day is its beginning.
        let candidates = [-86_400.0, 0, 86_400].map { distance in
            let near = Date(timeIntervalSince1970: midnight + distance)
            return Date(timeIntervalSince1970: midnight - Double(timeZone.secondsFromGMT(for: near)))
        }.sorted()
        return candidates.first { CalendarDate($0, in: timeZone) == self } ?? candidates[2]
    }

    /// Returns the current date in a time zone.
    ///
    /// - Parameter timeZone: The time zone; that of the system by default.
    public static func today(in timeZone: TimeZone = .current) -> CalendarDate {
        let seconds = Date().timeIntervalSince1970 + Double(timeZone.secondsFromGMT())
        let civil = GregorianCalendar.date(daysSince1970: Int((seconds / 86_400).rounded(.down)))
        return CalendarDate(unchecked: civil)
    }

    /// The current date. While the admin answers a request, it is the date in the time zone that the application
    /// declares, as the pages show it; otherwise, and without such a zone, the date in the time zone of the system.
    public static var today: CalendarDate { today(in: PageTimeZone.current ?? .current) }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private init(unchecked civil: (year: Int, month: Int, day: Int)) {
        year = civil.year
        month = civil.month
        day = civil.day
    }
}

extension CalendarDate {
    /// Returns the date that is a number of months and then of days later, or nil when its year is not one from 0 to
    /// 9999.
    ///
    /// ```swift
    /// let due = order.placed.adding(days: 14)
    /// let endOfFebruary = CalendarDate(year: 2026, month: 1, day: 31)?.adding(months: 1)  // 2026-02-28
    /// ```
    ///
    /// - Parameters:
    ///   - months: The number of months; a negative number returns an earlier date. In a month without the day, the
    ///     result is the last day of the month.
    ///   - days: The number of days; a negative number returns an earlier date.
    public func adding(months: Int = 0, days: Int = 0) -> CalendarDate? {
        // No date is more than ten thousand years away from another one.
        guard months.magnitude < 120_000, days.magnitude < 3_660_000 else { return nil }
        let index = year * 12 + month - 1 + months
        let year = (index >= 0 ? index : index - 11) / 12, month = index - year * 12 + 1
        let day = min(day, GregorianCalendar.days(inMonth: month, of: year))
        let number = GregorianCalendar.daysSince1970(year: year, month: month, day: day) + days
        let civil = GregorianCalendar.date(daysSince1970: number)
        guard (0...9999).contains(civil.year) else { return nil }
        return CalendarDate(unchecked: civil)
    }

    /// Returns the number of days from another date to this one; negative when the other date is later.
    ///
    /// ```swift
    /// let nights = stay.departure.days(since: stay.arrival)
    /// ```
    public func days(since other: CalendarDate) -> Int {
        GregorianCalendar.daysSince1970(year: year, month: month, day: day)
            - GregorianCalendar.daysSince1970(year: other.year, month: other.month, day: other.day)
    }
}

extension CalendarDate: CustomStringConvertible {
    /// The date in the format `YYYY-MM-DD`.
    public var description: String {
        padded(year, to: 4) + "-" + padded(month, to: 2) + "-" + padded(day, to: 2)
    }
}

extension CalendarDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = CalendarDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a YYYY-MM-DD date")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension CalendarDate {
    /// Returns the day of an ISO 8601 point in time, such as `2013-01-01` of `2013-01-01T06:00:00Z`.
    ///
    /// The result is nil for any other text, and for a time whose day is ambiguous, because its day in UTC is not the
    /// written one: `2013-01-01T23:00:00-05:00`.
    static func day(ofTime text: String) -> String? {
        let bytes = Array(text.trimmed().utf8)
        guard bytes.count >= 16, [UInt8(ascii: "T"), UInt8(ascii: "t"), 32].contains(bytes[10]) else { return nil }
        let day = String(decoding: bytes[..<10], as: UTF8.self), rest = bytes[11...]
        let zone = rest.firstIndex { "Zz+-".utf8.contains($0) } ?? rest.endIndex
        let time = String(decoding: rest[..<zone], as: UTF8.self)
        guard Date(rfc3339: day + "T" + time) != nil, let hour = decimal(rest[11..<13]),
            let minute = decimal(rest[14..<16]), let offset = offset(rest[zone...])
        else { return nil }
        return (0..<1440).contains(hour * 60 + minute - offset) ? day : nil
    }

    /// Returns the minutes that a zone such as `+05:30` is ahead of UTC; nil for any other text.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
        guard let sign = zone.first else { return 0 }
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return zone.count == 1 ? 0 : nil }
        let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }[...]
        guard digits.count == 2 || digits.count == 4, let hours = decimal(digits[0..<2]), hours < 24 else { return nil }
        guard let minutes = digits.count == 4 ? decimal(digits[2..<4]) : 0, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}

// Foundation's formatters are slow and not thread-safe, and ISO8601DateFormatter has a memory fault on Linux. The
// day arithmetic is the well-known one with eras of 400 years (146,097 days) that begin on 1 March.
enum GregorianCalendar {
    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// Returns the number that ASCII digits represent; nil when there is any other character.
func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
        guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return digits.isEmpty ? nil : value
}

func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

extension Date {
    /// The date as RFC 3339 in UTC with milliseconds, `2026-11-20T18:39:55.123Z`; nil for years outside 0...9999.
    ///
    /// The width is fixed, so that the order of the texts is the order of the times.
    package var rfc3339: String? {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard milliseconds.isFinite, abs(milliseconds) < 1e15 else { return nil }
        let total = Int(milliseconds)
        let days = Int((Double(total) / 86_400_000).rounded(.down))
        let time = total - days * 86_400_000
        let civil = GregorianCalendar.date(daysSince1970: days)
        guard (0...9999).contains(civil.year) else { return nil }
        return padded(civil.year, to: 4) + "-" + padded(civil.month, to: 2) + "-" + padded(civil.day, to: 2)
            + "T" + padded(time / 3_600_000, to: 2) + ":" + padded(time / 60_000 % 60, to: 2)
            + ":" + padded(time / 1000 % 60, to: 2) + "." + padded(time % 1000, to: 3) + "Z"
    }

    /// Parses `YYYY-MM-DDTHH:MM[:SS[.fraction]]` with an optional `Z`. The value of a form field has no seconds and
    /// no zone.
    package init?(rfc3339 text: String) {
        var bytes = Array(text.utf8)
        if bytes.last == UInt8(ascii: "Z") { bytes.removeLast() }
        guard bytes.count >= 16, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            let date = CalendarDate(String(decoding: bytes[0..<10], as: UTF8.self)),
            let hour = decimal(bytes[11..<13]), hour < 24, let minute = decimal(bytes[14..<16]), minute < 60
        else { return nil }
        var seconds = 0.0
        if bytes.count > 16 {
            guard bytes[16] == UInt8(ascii: ":"), bytes.count >= 19, let whole = decimal(bytes[17..<19]), whole < 60
            else { return nil }
            seconds = Double(whole)
            if bytes.count > 19 {
                guard bytes[19] == UInt8(ascii: "."), bytes.count <= 29, let fraction = decimal(bytes[20...])
                else { return nil }
                var scale = 1.0
                for _ in 20..<bytes.count { scale *= 10 }
                seconds += Double(fraction) / scale
            }
        }
        let days = GregorianCalendar.daysSince1970(year: date.year, month: date.month, day: date.day)
        self.init(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60) + seconds)
    }
}
