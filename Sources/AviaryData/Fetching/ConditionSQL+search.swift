import AviaryDomain

extension ConditionSQL {
    /// Returns the condition that the folded property contains the folded part. For parts that are not too short, the
    /// index answers it exactly.
    mutating func search(for part: String, in property: String) throws(QueryError) -> String {
        let column = try column(property)
        // Where another index finds the records, looking at a text is quicker than a list of all in which the part stands.
        guard !avoidsIndexes, aids.searchColumns.contains(SearchColumn(model: model.name, property: property)),
            part.unicodeScalars.count >= dialect.leastIndexedPart
        else { return dialect.contains(dialect.folded(column), part: parameter(.text(part))) }
        values.append(dialect.value(ofPart: part, in: property))
        return "(\(idColumn) IN (\(SearchTable.matches(model.name, dialect))))"
    }
}
