/// The number of characters of a password that count towards its strength.
///
/// A part that attackers try first counts as two characters, whatever its length: a word of common passwords, a name, a
/// run along the alphabet or a row of keys, a repeated character, and a repetition of an earlier part. The weight is
/// the smallest of all divisions of the password into parts.
struct PasswordWeight {
    let value: Int

    private static let partWeight = 2
    private static let shortestPart = 3
    /// The number of characters at the beginning that are examined. Repeating a word a hundred times adds nothing.
    private static let lookedAt = 128
    private static let rows = [
        "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    ].flatMap { [Array($0.unicodeScalars), Array($0.unicodeScalars.reversed())] }

    /// - Parameter names: each counts whole, and in its parts.
    init(of password: String, names: [String]) {
        let text = Array(password.lowercased().unicodeScalars.prefix(Self.lookedAt))
        let parts = names.map { $0.lowercased() }.flatMap { name in
            [Array(name.unicodeScalars)] + name.unicodeScalars.split { !$0.properties.isAlphabetic }.map(Array.init)
        }
        // least[i] is what the first i characters count.
        var least = Array(0...text.count)
        for end in text.indices.map({ $0 + 1 }) {
            least[end] = least[end - 1] + 1
            guard end >= Self.shortestPart else { continue }
            for start in 0...(end - Self.shortestPart) where least[start] + Self.partWeight < least[end] {
                if Self.isGuessed(start..<end, of: text, names: parts) { least[end] = least[start] + Self.partWeight }
            }
        }
        value = least[text.count]
    }

    private static func isGuessed(_ range: Range<Int>, of text: [Unicode.Scalar], names: [[Unicode.Scalar]]) -> Bool {
        let part = text[range]
        return isRun(part) || isWord(part) || names.contains { $0.elementsEqual(part) }
            || rows.contains { $0.contains(part) }
            || text[..<(range.upperBound - 1)].contains(part)
    }

    /// Characters that are all the same, or each the one after or before its neighbour.
    private static func isRun(_ part: ArraySlice<Unicode.Scalar>) -> Bool {
        let steps = Set(zip(part.dropFirst(), part).map { Int($0.value) - Int($1.value) })
        return steps.count == 1 && steps.isSubset(of: [-1, 0, 1])
    }

    private static func isWord(_ part: ArraySlice<Unicode.Scalar>) -> Bool {
        guard CommonWords.lengths.contains(part.count) else { return false }
        let bytes = part.compactMap { $0.isASCII ? UInt8($0.value) : nil }
        return bytes.count == part.count && CommonWords.contain(bytes[...])
    }
}

extension RandomAccessCollection where Element: Equatable {
    /// Returns a Boolean value that indicates whether the collection contains the elements as a contiguous run.
    fileprivate func contains(_ part: some RandomAccessCollection<Element>) -> Bool {
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { dropFirst($0).starts(with: part) }
    }
}
