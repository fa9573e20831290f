/// Conversions between numbers in machine notation and numbers as people read and type them.
package enum NumberText {
    /// Returns a number with grouped digits: `12,408` in English, `12.408` in German.
    package static func grouped(_ number: Int, in language: Language? = .current) -> String {
        grouped(String(number), in: language)
    }

    /// Returns a number in machine notation, such as `-12408.75`, with grouped digits: `-12,408.75`.
    package static func grouped(_ number: String, in language: Language? = .current) -> String {
        let sign = number.hasPrefix("-") ? "-" : ""
        let whole = number.dropFirst(sign.count).prefix(while: \.isNumber)
        let separator = language?.groupingSeparator ?? ","
        var text = sign
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { text += separator }
            text.append(digit)
        }
        return text + fraction(number.dropFirst(sign.count + whole.count), in: language)
    }

    /// Returns a number in machine notation without grouping, with the decimal separator of the language: `1234,5`.
    package static func ungrouped(_ number: String, in language: Language? = .current) -> String {
        guard let language, language.decimalSeparator != ".", let point = number.firstIndex(of: ".") else {
            return number
        }
        return number[..<point] + fraction(number[point...], in: language)
    }

    /// Returns a number that a person typed, in machine notation.
    ///
    /// A single comma becomes a point when the language has a decimal comma. A text that contains a point too is
    /// ambiguous, and the function returns it unchanged.
    package static func typed(_ text: String, in language: Language? = .current) -> String {
        guard language?.decimalSeparator == ",", !text.contains("."), text.count(where: { $0 == "," }) == 1 else {
            return text
        }
        return text.replacing(",", with: ".")
    }

    private static func fraction(_ rest: Substring, in language: Language?) -> String {
        guard let language, rest.hasPrefix(".") else { return String(rest) }
        return language.decimalSeparator + rest.dropFirst()
    }
}
