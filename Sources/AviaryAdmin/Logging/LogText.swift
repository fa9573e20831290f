/// Functions that make foreign texts safe for a log: no control character moves the cursor, and no line break
/// begins a line.
package enum LogText {
    /// Returns the text cut to the number of bytes, with a mark where text is missing.
    static func cut(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var kept = String.UnicodeScalarView()
        var size = 0
        for scalar in text.unicodeScalars {
            size += UTF8.width(scalar)
            if size > limit { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }

    /// Replaces control characters, line and paragraph separators and invisible marks by their numbers, and
    /// doubles each backslash, so that no other text looks like such a replacement.
    static func escaped(_ text: String) -> String {
        replacing(text) { scalar in
            if scalar == "\\" { return "\\\\" }
            if scalar == "\n" { return "\\n" }
            return isHidden(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : nil
        }
    }

    /// Escapes quotation marks in a text that is already escaped.
    static func quoted(_ text: String) -> String {
        replacing(text) { $0 == "\"" ? "\\\"" : nil }
    }

    /// Returns the text as a JSON string (RFC 8259).
    static func json(_ text: String) -> String {
        "\""
            + replacing(text) { scalar in
                if scalar == "\"" { return "\\\"" }
                if scalar == "\\" { return "\\\\" }
                return number(scalar)
            } + "\""
    }

    /// Escapes hidden characters in encoded JSON. They only occur in its strings.
    package static func escaped(json: String) -> String {
        replacing(json, number)
    }

    /// Returns the scalar's JSON escape, or nil for a visible one.
    private static func number(_ scalar: Unicode.Scalar) -> String? {
        guard isHidden(scalar) else { return nil }
        return UTF16.width(scalar) == 1
            ? unit(UInt16(truncatingIfNeeded: scalar.value))
            : unit(UTF16.leadSurrogate(scalar)) + unit(UTF16.trailSurrogate(scalar))
    }

    private static func unit(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 0x20 || scalar.value >= 0x7F else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replaced = replacement(scalar) {
                result.append(contentsOf: replaced.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
