import AviaryDomain

extension ConditionSQL {
    /// Returns the condition that a text begins with a prefix, as one range of the sort index.
    mutating func start(of property: String, _ prefix: String) throws(QueryError) -> String {
        let column = try column(property)
        let range = PrefixRange(prefix)
        let lower = dialect.comparisonIgnoringCase(column, ">=", parameter(.text(range.lower)))
        guard let upper = range.upper else { return "(\(lower))" }
        return "(\(lower) AND \(dialect.comparisonIgnoringCase(column, "<", parameter(.text(upper)))))"
    }
}
