extension ModelSchema {
    package var searchedProperties: [PropertySchema] { storedProperties.filter(\.isFullText) }

    /// - Throws: ``QueryError`` when nothing is declared to be searched.
    func searchExpression(for search: String) throws(QueryError) -> QueryExpression {
        let properties = searchedProperties
        guard !properties.isEmpty else {
            throw QueryError(
                model: name, expression: "A search",
                advice:
                    "has nothing to look at. Declare the properties to be searched with @Attribute(.fullText), or ask with localizedStandardContains."
            )
        }
        return searchExpression(for: search, in: properties)
    }

    /// Each word stands in one of the properties, which are texts.
    package func searchExpression(for search: String, in properties: [PropertySchema]) -> QueryExpression {
        let words = search.split(whereSeparator: \.isWhitespace).map { String($0).folded }.filter { !$0.isEmpty }
        return .all(
            words.map { word in
                .any(
                    word.spellings.flatMap { spelling in
                        properties.map { .contains(.folded(.property($0.name)), part: .constant(.text(spelling))) }
                    })
            })
    }
}
