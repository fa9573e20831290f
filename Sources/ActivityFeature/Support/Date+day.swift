import AviaryDomain
import Foundation

extension Date {
    /// The day in UTC, `2026-11-20`; empty for a time that no text stands for.
    var day: String { String((rfc3339 ?? "").prefix(10)) }
}
