import AviaryDomain
import Foundation

extension Encodable {
    /// In one line, for programs: names in order, dates as RFC 3339. What controls a terminal or turns around what is read is
    /// written as its number, for people read it, too.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(date.rfc3339)
            }
            return LogText.escaped(json: String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }
}
