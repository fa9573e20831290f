/// Texts of others made harmless for a log: no control character moves a cursor, and no line break begins a line.
enum LogText {
    /// At most so many bytes, with a mark where something is missing.
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

    /// Control characters, line and paragraph separators and invisible marks as their numbers; a backslash doubled, so
    /// that nothing looks like one of these that is not.
    static func escaped(_ text: String) -> String {
        replacing(text) { scalar in
            if scalar == "\\" { return "\\\\" }
            if scalar == "\n" { return "\\n" }
            return isHidden(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : nil
        }
    }

    /// Inside quotation marks, of a text that is escaped already.
    static func quoted(_ text: String) -> String {
        replacing(text) { $0 == "\"" ? "\\\"" : nil }
    }

    /// A JSON string (RFC 8259).
    static func json(_ text: String) -> String {
        "\""
            + replacing(text) { scalar in
                if scalar == "\"" { return "\\\"" }
                if scalar == "\\" { return "\\\\" }
                return number(scalar)
            } + "\""
    }

    /// JSON that is written already: what is hidden stands in its strings only.
    static func escaped(json: String) -> String {
        replacing(json, number)
    }

    /// As JSON writes it; nil of one that may be seen.
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
