import Synchronization

/// A part of a pattern that matches one character of a text: a letter, `.`, `\d`, `[a-z]`. Swift's `Regex` of this part
/// decides.
final class PatternAtom: Sendable {
    /// The result for each ASCII character: true when it matches.
    private let ascii: [Bool]
    // A Regex is not Sendable. One character at a time is short.
    private let regex: Mutex<Regex<AnyRegexOutput>>

    /// - Throws: ``PatternError`` when it is no regular expression.
    init(_ source: String) throws(PatternError) {
        let regex: Regex<AnyRegexOutput>
        do {
            regex = try Regex(source)
        } catch {
            throw .noExpression
        }
        ascii = (0..<128).map { Self.takes(String(UnicodeScalar(UInt8($0))), regex) }
        self.regex = Mutex(regex)
    }

    func takes(_ character: Character) -> Bool {
        // CR LF is one character, of two bytes.
        if character.utf8.count == 1, let byte = character.utf8.first, byte < 128 { return ascii[Int(byte)] }
        return regex.withLock { Self.takes(String(character), $0) }
    }

    /// A match that cannot be finished is none.
    private static func takes(_ text: String, _ regex: Regex<AnyRegexOutput>) -> Bool {
        (try? regex.wholeMatch(in: text)) != nil
    }
}
