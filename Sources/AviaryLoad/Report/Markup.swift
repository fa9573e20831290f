/// HTML and SVG as text. Data enters through ``escape(_:)`` only.
enum Markup {
    /// Safe in text and in quoted attributes; works on scalars, so that no combining mark hides a quote.
    static func escape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            // Control characters are no part of a page.
            case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    static func number(_ value: Double) -> String {
        Figure.decimal(value, digits: 1)
    }
}
