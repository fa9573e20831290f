package import Foundation

/// The time zone in which pages show points in time, and read those that people type.
///
/// The server sets it while it answers a request. Commands, files and everything that is stored have UTC.
package enum PageTimeZone {
    /// The zone of the task; nil for UTC.
    @TaskLocal package static var current: TimeZone?

    /// The name of the zone, for labels: `Europe/Berlin` or `UTC`.
    package static var name: String { current?.identifier ?? "UTC" }

    /// Returns work that runs in the zone of the task on a thread of its own, which does not inherit task-local values.
    package static func carried<Value>(by work: @escaping @Sendable () throws -> Value) -> @Sendable () throws -> Value
    {
        guard let zone = current else { return work }
        return { try $current.withValue(zone, operation: work) }
    }
}

extension TimeZone {
    /// Returns the time that a clock of this zone shows, `2026-11-20T19:39:55.123`, at a stored point in time,
    /// `2026-11-20T18:39:55.123Z`; nil for another text and outside the years 0 to 9999.
    package func clockTime(of stored: String) -> String? {
        guard let date = Date(rfc3339: stored) else { return nil }
        return date.addingTimeInterval(Double(secondsFromGMT(for: date))).rfc3339.map { String($0.dropLast()) }
    }

    /// Returns the points in time at which a clock of this zone shows a time, in their order.
    ///
    /// There is none when the clock skips the time, and there are two when it is set back to it. The result is nil for a
    /// text that is no time.
    package func moments(ofClockTime text: String) -> [Date]? {
        guard let clock = Date(rfc3339: text) else { return nil }
        // No clock is ahead of UTC or behind it by a day, so the possible offsets are those around the time.
        let offsets = Set([-86_400, 0, 86_400].map { secondsFromGMT(for: clock.addingTimeInterval($0)) })
        return offsets.map { (offset: $0, date: clock.addingTimeInterval(-Double($0))) }
            .filter { secondsFromGMT(for: $0.date) == $0.offset }
            .map(\.date).sorted()
    }

    /// Returns the distance of the zone from UTC at a point in time: `UTC+1`, `UTC-3:30`, `UTC`.
    package func offsetText(at date: Date) -> String {
        let seconds = secondsFromGMT(for: date), minutes = abs(seconds) / 60
        guard minutes > 0 else { return "UTC" }
        let rest = minutes % 60
        let fraction = rest == 0 ? "" : ":" + (rest < 10 ? "0" : "") + String(rest)
        return "UTC" + (seconds < 0 ? "-" : "+") + String(minutes / 60) + fraction
    }
}

extension Date {
    /// The day in the zone of pages, for example `2026-11-20`; empty for a time that has no text representation.
    package var pageDay: String {
        let stored = rfc3339 ?? ""
        return String((PageTimeZone.current?.clockTime(of: stored) ?? stored).prefix(10))
    }
}
