package import Foundation

/// The formatting of stored dates for people, with the day first and the month by name, so that they cannot be
/// confused.
package enum DateTextFormatter {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns a date in words: `20 Nov 2026` for `2026-11-20…`.
    package static func day(_ stored: String) -> String {
        guard let date = CalendarDate(String(stored.prefix(10))), months.indices.contains(date.month - 1) else {
            return stored
        }
        let month = months[date.month - 1]
        guard Language.current != nil else { return "\(date.day) \(month) \(date.year)" }
        // A string, because an integer would get a thousands separator.
        return localized("\(date.day) \(Self.month(date.month)) \(String(date.year))")
    }

    /// Returns a date and time in words: `20 Nov 2026, 18:39 UTC` for `2026-11-20T18:39:55.123Z`.
    package static func dateAndTime(_ stored: String) -> String {
        guard stored.utf8.count >= 16 else { return stored }
        return localized("\(day(stored)), \(stored.dropFirst(11).prefix(5)) UTC")
    }

    private static func month(_ number: Int) -> String {
        switch number {
        case 1: localized("Jan")
        case 2: localized("Feb")
        case 3: localized("Mar")
        case 4: localized("Apr")
        case 5: localized("May")
        case 6: localized("Jun")
        case 7: localized("Jul")
        case 8: localized("Aug")
        case 9: localized("Sep")
        case 10: localized("Oct")
        case 11: localized("Nov")
        default: localized("Dec")
        }
    }

    /// Returns the age of a date in words: `just now`, `2 minutes ago`, `3 hours ago`, `5 days ago`.
    package static func age(of date: Date, at now: Date) -> String {
        let seconds = Int(now.timeIntervalSince(date))
        switch seconds {
        case ..<60: return localized("just now")
        case ..<3600: return minutes(seconds / 60)
        case ..<86_400: return hours(seconds / 3600)
        default: return days(seconds / 86_400)
        }
    }

    private static func minutes(_ count: Int) -> String {
        localized(count, one: "1 minute ago", other: "\(count) minutes ago")
    }

    private static func hours(_ count: Int) -> String {
        localized(count, one: "1 hour ago", other: "\(count) hours ago")
    }

    private static func days(_ count: Int) -> String {
        localized(count, one: "1 day ago", other: "\(count) days ago")
    }
}

extension TextFormatter {
    /// Returns the label of a raw value: `Herbivorous` for `herbivorous`, `Not evaluated` for `notEvaluated`.
    package static func choiceLabel(_ raw: String) -> String {
        capitalized(
            split(raw).enumerated().map { $0.offset == 0 ? $0.element : $0.element.lowercased() }
                .joined(separator: " "))
    }
}
