public import Foundation

/// A date without a time of day and without a time zone: a birthday, a due date.
///
/// Stored as RFC 3339's `full-date`, `2026-11-20`, so that it sorts as text.
public struct CalendarDate: Hashable, Sendable, Comparable {
    public let year: Int
    public let month: Int
    public let day: Int

    /// Nil when there is no such day in the Gregorian calendar, or the year is not in 0...9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= GregorianCalendar.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `YYYY-MM-DD`.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
            let year = decimal(digits[0..<4]), let month = decimal(digits[5..<7]), let day = decimal(digits[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day that it is now in the given time zone.
    public static func today(in timeZone: TimeZone = .current) -> CalendarDate {
        let seconds = Date().timeIntervalSince1970 + Double(timeZone.secondsFromGMT())
        let civil = GregorianCalendar.date(daysSince1970: Int((seconds / 86_400).rounded(.down)))
        return CalendarDate(unchecked: civil)
    }

    public static var today: CalendarDate { today() }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private init(unchecked civil: (year: Int, month: Int, day: Int)) {
        year = civil.year
        month = civil.month
        day = civil.day
    }
}

extension CalendarDate: CustomStringConvertible {
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
