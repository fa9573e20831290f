import Foundation

/// Formats of numbers for people.
enum NumberFormat {
    /// Returns a number such as `12,408`, or `0.42` below ten.
    static func text(_ number: Double) -> String {
        guard number.isFinite else { return "–" }
        if number == 0 { return "0" }
        if abs(number) < 10 { return decimal(number, digits: 2) }
        if abs(number) < 100 { return decimal(number, digits: 1) }
        return grouped(Int(number.rounded()))
    }

    /// Returns a number without trailing zeros after the decimal point, for the ticks of an axis.
    static func tick(_ number: Double) -> String {
        var text = text(number)
        guard text.contains(".") else { return text }
        while text.hasSuffix("0") { text.removeLast() }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    static func decimal(_ number: Double, digits: Int) -> String {
        String(format: "%.\(digits)f", number)
    }

    /// Returns a share as `0.4 %`.
    static func percent(_ share: Double) -> String { decimal(share * 100, digits: 1) + " %" }

    /// Returns a size as `1.5 KiB` or `24.0 MiB`.
    static func bytes(_ count: Double) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        var (value, unit) = (count, 0)
        while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        return (unit == 0 ? grouped(Int(value)) : text(value)) + " " + units[unit]
    }

    static func milliseconds(_ number: Double) -> String { text(number) + " ms" }
    static func seconds(_ number: Double) -> String { text(number) + " s" }
}

/// A format of dates in UTC for people: `2026-03-01 14:05:09 UTC`.
enum ISO8601 {
    static func text(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        return String(
            format: "%04d-%02d-%02d %02d:%02d:%02d UTC", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
            parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0
        )
    }
}
