package import Foundation

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
