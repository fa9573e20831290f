/// A phrase with placeholders: `%@` for the next part, `%2$@` for a numbered part.
package enum Template {
    static let part = "%@"

    /// Returns the template with the parts in place of the placeholders. A placeholder without a part stays
    /// unchanged.
    static func filled(_ template: String, with parts: [String], mark: (String) -> String = { $0 }) -> String {
        guard !parts.isEmpty else { return mark(template) }
        var text = "", literal = "", next = 0
        forEachPiece(of: template) { piece in
            switch piece {
            case .text(let piece): literal += piece
            case .part(let place, let written):
                let index = place ?? next
                if place == nil { next += 1 }
                guard parts.indices.contains(index) else {
                    literal += written
                    return
                }
                if !literal.isEmpty { text += mark(literal) }
                literal = ""
                text += parts[index]
            }
        }
        return literal.isEmpty ? text : text + mark(literal)
    }

    /// Returns the indexes (from 0) of the parts that the template uses, in ascending order.
    package static func places(in template: String) -> [Int] {
        var places: [Int] = [], next = 0
        forEachPiece(of: template) { piece in
            guard case .part(let place, _) = piece else { return }
            places.append(place ?? next)
            if place == nil { next += 1 }
        }
        return places.sorted()
    }

    private enum Piece {
        case text(Substring)
        /// A placeholder with the index of its part (from 0); nil for the next part.
        case part(Int?, written: Substring)
    }

    private static func forEachPiece(of template: String, _ body: (Piece) -> Void) {
        var rest = template[...]
        while let percent = rest.firstIndex(of: "%") {
            if percent > rest.startIndex { body(.text(rest[..<percent])) }
            rest = rest[percent...]
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            let isNamed = !digits.isEmpty && rest[digits.endIndex...].hasPrefix("$@")
            if isNamed, let number = Int(digits), number > 0 {
                let end = rest.index(digits.endIndex, offsetBy: 2)
                body(.part(number - 1, written: rest[..<end]))
                rest = rest[end...]
            } else if rest.hasPrefix(part) {
                body(.part(nil, written: rest.prefix(2)))
                rest = rest.dropFirst(2)
            } else {
                body(.text(rest.prefix(1)))
                rest = rest.dropFirst()
            }
        }
        if !rest.isEmpty { body(.text(rest)) }
    }
}
