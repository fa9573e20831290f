/// A node of a regular expression's syntax tree.
indirect enum PatternNode {
    case nothing
    /// A character that the atom with this number matches.
    case atom(Int)
    case start
    case end
    case sequence([PatternNode])
    case choice([PatternNode])
    /// A repetition of a node. `most` is nil for any number.
    case repeated(PatternNode, least: Int, most: Int?)
}

/// A reason for which a pattern cannot be matched, as the end of a sentence that begins with the pattern.
struct PatternError: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    static let noExpression = PatternError("is no regular expression")
}

/// A parser of Swift's regular expressions. It supports those that can be matched without backtracking.
struct PatternParser {
    private let pattern: [Character]
    private var position = 0
    private(set) var atoms: [PatternAtom] = []
    private var numbers: [String: Int] = [:]
    /// Indicates whether the pattern ignores case.
    private var ignoresCase = false

    /// Parses a pattern.
    ///
    /// - Throws: ``PatternError`` for an invalid regular expression, and for one that requires backtracking.
    static func parse(_ pattern: String) throws(PatternError) -> (node: PatternNode, atoms: [PatternAtom]) {
        var parser = PatternParser(pattern: Array(pattern))
        if parser.take("(?i)") { parser.ignoresCase = true }
        let node = try parser.choice()
        guard parser.current == nil else { throw .noExpression }
        return (node, parser.atoms)
    }

    private init(pattern: [Character]) {
        self.pattern = pattern
    }

    private mutating func choice() throws(PatternError) -> PatternNode {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let character = current, character != "|", character != ")" {
            parts.append(try quantified(try part()))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func part() throws(PatternError) -> PatternNode {
        if take("(") { return try group() }
        if take("^") { return .start }
        if take("$") { return .end }
        let first = position
        switch current {
        case "[": try skipClass()
        case "\\": try skipEscape()
        case "*", "+", "?", "{", "}": throw PatternError("has \(quoted(current)) behind nothing: write \\ before it")
        default: position += 1
        }
        return try atom(String(pattern[first..<position]))
    }

    private mutating func group() throws(PatternError) -> PatternNode {
        if take("?") {
            if take("<") {
                guard current != "=", current != "!" else {
                    throw PatternError("looks behind, which takes going back in the text")
                }
                try skip(behind: ">")
            } else if !take(":") {
                throw PatternError(
                    "has a group (?\(current.map(String.init) ?? ""): only (…), (?:…), (?<name>…) and (?i) at the beginning are known"
                )
            }
        }
        let node = try choice()
        guard take(")") else { throw .noExpression }
        return node
    }

    private mutating func quantified(_ node: PatternNode) throws(PatternError) -> PatternNode {
        var node = node
        while let (least, most) = try quantifier() {
            if case .start = node { throw .noExpression }
            if case .end = node { throw .noExpression }
            // Greedy and reluctant quantifiers are equivalent when the whole text must match.
            _ = take("?")
            if current == "+" { throw PatternError("has a quantifier that never gives back (++): write it with one +") }
            node = .repeated(node, least: least, most: most)
        }
        return node
    }

    private mutating func quantifier() throws(PatternError) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard take("{") else { return nil }
        let least = number()
        var most = least
        if take(",") {
            most = number()
        } else if least == nil {
            throw PatternError("has a { that is no quantifier: write \\{")
        }
        guard take("}") else { throw PatternError("has a { that is no quantifier: write \\{") }
        if let most, most < least ?? 0 { throw .noExpression }
        return (least ?? 0, most)
    }

    private mutating func number() -> Int? {
        let first = position
        while let character = current, ("0"..."9").contains(character) { position += 1 }
        return Int(String(pattern[first..<position]))
    }

    private mutating func skipEscape() throws(PatternError) {
        position += 1
        guard let escaped = current else { throw .noExpression }
        position += 1
        switch escaped {
        case "d", "D", "w", "W", "s", "S", "h", "H", "t", "n", "r", "f", "e", "a": return
        case "p", "P", "x", "u":
            guard current == "{" else {
                // Skip \x41 and \u0041. Swift rejects a property (\p) without braces.
                position = min(position + (escaped == "x" ? 2 : 4), pattern.count)
                return
            }
            try skip(behind: "}")
        default:
            guard !escaped.isLetter, !escaped.isNumber else {
                throw PatternError(
                    "has \\\(escaped), which is none of those that can be matched without going back in the text")
            }
        }
    }

    private mutating func skipClass() throws(PatternError) {
        position += 1
        _ = take("^")
        var depth = 1
        while depth > 0 {
            guard let character = current else { throw .noExpression }
            switch character {
            case "\\": try skipEscape(); continue
            case "[": depth += 1
            case "]": depth -= 1
            default: break
            }
            position += 1
        }
    }

    private mutating func atom(_ source: String) throws(PatternError) -> PatternNode {
        let source = (ignoresCase ? "(?i)" : "") + source
        if let number = numbers[source] { return .atom(number) }
        atoms.append(try PatternAtom(source))
        numbers[source] = atoms.count - 1
        return .atom(atoms.count - 1)
    }
}

extension PatternParser {
    private var current: Character? { position < pattern.count ? pattern[position] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard pattern[min(position, pattern.count)...].starts(with: text) else { return false }
        position += text.count
        return true
    }

    private mutating func skip(behind last: Character) throws(PatternError) {
        while let character = current {
            position += 1
            if character == last { return }
        }
        throw .noExpression
    }

    private func quoted(_ character: Character?) -> String { character.map { "“\($0)”" } ?? "" }
}
