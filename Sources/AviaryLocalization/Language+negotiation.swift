extension Language {
    /// Of the languages that there are the one that a browser would rather have; nil when it names none of them.
    ///
    /// - Parameter header: What it sends as `Accept-Language`: `de-AT, de;q=0.9, en;q=0.8`.
    package static func preferred(by header: String, of languages: [Language]) -> Language? {
        var best: (language: Language, weight: Double)?
        // Nobody speaks more; what comes after is not read.
        for range in header.split(separator: ",", maxSplits: 20).prefix(20) {
            let fields = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let code = fields.first, let language = languages.first(answering: code) else { continue }
            let weight = fields.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            // Of those that are wanted alike the first.
            if weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
        }
        return best?.language
    }
}

extension [Language] {
    package subscript(code code: String) -> Language? {
        first { $0.code.lowercased() == code.lowercased() }
    }

    /// The very language, or one that differs in the country only.
    fileprivate func first(answering code: String) -> Language? {
        if let language = self[code: code] { return language }
        let primary = code.prefix { $0 != "-" }.lowercased()
        return first { $0.code.prefix { $0 != "-" }.lowercased() == primary && !$0.isPseudo }
    }
}
