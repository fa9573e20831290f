extension ModelConfiguration {
    /// Returns the condition of the records that a search finds, or nil for a search without words.
    ///
    /// Each word occurs in one of the properties declared `.fullText`, or one of the other searched properties begins
    /// with the whole search text.
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
