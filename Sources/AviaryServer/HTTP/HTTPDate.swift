import Foundation
import NIOConcurrencyHelpers

/// The `Date` header (RFC 9110, section 6.6.1), formatted once a second.
enum HTTPDate {
    private struct Cached {
        var second = 0
        var text = ""
    }

    private static let cached = NIOLockedValueBox(Cached())
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static var now: String {
        let second = time(nil)
        return cached.withLockedValue { cached in
            if cached.second != second {
                cached = Cached(second: second, text: format(second))
            }
            return cached.text
        }
    }

    static func format(_ second: Int) -> String {
        var second = time_t(second)
        var parts = tm()
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = days[Int(parts.tm_wday) % 7]
        let month = months[Int(parts.tm_mon) % 12]
        return "\(day), \(two(parts.tm_mday)) \(month) \(1900 + parts.tm_year) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
