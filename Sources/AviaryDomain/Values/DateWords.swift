package import Foundation

/// Stored dates in words: the day first, the month by name, so that nobody mistakes one for the other.
package enum DateWords {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `20 Nov 2026` for `2026-11-20…`.
    package static func day(_ stored: String) -> String {
        guard let date = CalendarDate(String(stored.prefix(10))), months.indices.contains(date.month - 1) else {
            return stored
        }
        return "\(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `20 Nov 2026, 18:39 UTC` for `2026-11-20T18:39:55.123Z`.
    package static func dateAndTime(_ stored: String) -> String {
        guard stored.utf8.count >= 16 else { return stored }
        return day(stored) + ", " + stored.dropFirst(11).prefix(5) + " UTC"
    }

    /// `just now`, `2 minutes ago`, `3 hours ago`, `5 days ago`.
    package static func age(of date: Date, at now: Date) -> String {
        let seconds = Int(now.timeIntervalSince(date))
        func ago(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s") ago" }
        switch seconds {
        case ..<60: return "just now"
        case ..<3600: return ago(seconds / 60, "minute")
        case ..<86_400: return ago(seconds / 3600, "hour")
        default: return ago(seconds / 86_400, "day")
        }
    }
}

extension Words {
    /// `Herbivorous` for the raw value `herbivorous`, `Not evaluated` for `notEvaluated`.
    package static func choiceLabel(_ raw: String) -> String {
        capitalized(split(raw).enumerated().map { $0.offset == 0 ? $0.element : $0.element.lowercased() }
            .joined(separator: " "))
    }
}
