/// English words from Swift names.
package enum Words {
    /// `animalCategory` and `AnimalCategory` give two words; a run of capitals stays together (`URLHandler` gives
    /// `URL`, `Handler`).
    package static func split(_ name: String) -> [String] {
        let characters = Array(name)
        var words: [String] = []
        var word = ""
        for (index, character) in characters.enumerated() {
            if character == "_" {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let previousIsLower = index > 0 && !characters[index - 1].isUppercase
            let nextIsLower = index + 1 < characters.count && characters[index + 1].isLowercase
            if character.isUppercase, !word.isEmpty, previousIsLower || nextIsLower {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    package static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// For the middle of a sentence: without the first capital, but for a word that has others, such as `ISBN`.
    package static func lowercased(_ phrase: String) -> String {
        let first = phrase.prefix { !$0.isWhitespace }
        return first.dropFirst().contains(where: \.isUppercase) ? phrase : phrase.prefix(1).lowercased() + phrase.dropFirst()
    }

    /// The regular English plural of the last word.
    package static func plural(_ phrase: String) -> String {
        let lower = phrase.lowercased()
        if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
            return phrase.dropLast() + "ies"
        }
        if ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) { return phrase + "es" }
        return phrase + "s"
    }

    /// `a name`, `an age`.
    package static func withArticle(_ word: String) -> String {
        let startsWithVowel = word.first.map { "aeiou".contains($0.lowercased()) } ?? false
        return (startsWithVowel ? "an " : "a ") + word
    }

    /// `12,408`.
    package static func grouped(_ number: Int) -> String { grouped(String(number)) }

    /// `-12,408.75`: the digits before the point, of a number that is written already.
    package static func grouped(_ number: String) -> String {
        let sign = number.hasPrefix("-") ? "-" : ""
        let whole = number.dropFirst(sign.count).prefix(while: \.isNumber)
        var text = sign
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text + number.dropFirst(sign.count + whole.count)
    }

    /// `a`, `a and b`, `a, b and c`.
    package static func list(_ items: [String]) -> String {
        guard let last = items.last else { return "" }
        guard items.count > 1 else { return last }
        return items.dropLast().joined(separator: ", ") + " and " + last
    }
}
