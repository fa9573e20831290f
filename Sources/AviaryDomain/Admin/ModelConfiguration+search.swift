extension ModelConfiguration {
    /// What holds for the records that a search finds: each word stands in one of the texts that are declared `.fullText`, or
    /// one of the other texts begins with all of it. Nil when it looks for nothing.
    package func searchCondition(for search: String) -> QueryExpression? {
        let text = search.trimmed
        guard !text.isEmpty, !searched.isEmpty else { return nil }
        let words = searched.filter(\.isFullText)
        var ways = searched.filter { !$0.isFullText }.map {
            QueryExpression.starts(property: $0.name, withSpellingsOf: text)
        }
        if !words.isEmpty { ways.append(schema.searchExpression(for: text, in: words)) }
        return .any(ways)
    }
}

extension String {
    fileprivate var trimmed: String {
        let rest = drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
