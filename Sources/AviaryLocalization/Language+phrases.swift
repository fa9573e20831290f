extension Language {
    func text(_ key: String, _ parts: [String]) -> String {
        if isPseudo { return Template.filled(key, with: parts, mark: Self.marked) }
        let template = phrases[key]?.text(for: .other) ?? key
        return parts.isEmpty ? template : Template.filled(template, with: parts)
    }

    /// Nil where the language has no such phrase.
    func text(_ key: String, _ parts: [String], count: Int) -> String? {
        if isPseudo { return Template.filled(key, with: parts, mark: Self.marked) }
        guard let template = phrases[key]?.text(for: pluralForm(count)) else { return nil }
        return Template.filled(template, with: parts)
    }

    func word(_ word: String) -> String {
        if isPseudo { return word.isEmpty ? word : Self.marked(word) }
        return phrases[word]?.text(for: .other) ?? word
    }

    private static func marked(_ text: String) -> String {
        text.contains(where: \.isLetter) ? "⟦\(text)⟧" : text
    }
}
