extension String {
    /// Marks that are typed for each other: phones write "’" where other keyboards write "'".
    private static let likeMarks: [[Unicode.Scalar]] = [
        ["'", "’", "‘", "ʼ", "´", "`"],
        ["\"", "“", "”", "„"],
        ["-", "\u{2010}", "\u{2011}", "–", "—", "−"],
    ]
    /// Each is a question to the store: enough for two marks. Of more, those behind are looked for as they stand.
    private static let mostSpellings = 36

    /// The text with the apostrophes, quotes and dashes that others may have written in it; itself comes first.
    ///
    /// Asked for one by one, since what an index holds is the text as it was stored.
    package var spellings: [String] {
        var spellings: [UnicodeScalarView] = [UnicodeScalarView()]
        for scalar in unicodeScalars {
            let others = Self.likeMarks.first { $0.contains(scalar) }?.filter { $0 != scalar } ?? []
            let ways = spellings.count * (others.count + 1) <= Self.mostSpellings ? [scalar] + others : [scalar]
            // The way it is written comes first, of each mark.
            spellings = ways.flatMap { way in
                spellings.map { spelling in
                    var spelling = spelling
                    spelling.append(way)
                    return spelling
                }
            }
        }
        return spellings.map { String($0) }
    }
}

extension QueryExpression {
    /// The property's text begins so, with whichever marks.
    package static func starts(property: String, withSpellingsOf text: String) -> QueryExpression {
        .any(text.spellings.map { .startsIgnoringCase(property: property, $0) })
    }
}
