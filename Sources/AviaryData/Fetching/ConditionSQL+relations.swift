import AviaryDomain

extension ConditionSQL {
    /// The related record is found first, so that its own indexes count. Names in the inner statement are those of the
    /// inner table: nothing in it looks out.
    mutating func related(_ path: RelationPath, _ condition: QueryExpression) throws(QueryError) -> String {
        switch path {
        case .reference(let property, let model):
            let column = try column(property)
            return "(\(column) IS NOT NULL AND \(column) IN (\(try inner("id", model, condition))))"
        case .inverse(let property, let model):
            return
                "(\(idColumn) IN (\(try inner(dialect.name(property), model, condition, " AND \(dialect.name(property)) IS NOT NULL"))))"
        case .links(let link, let model):
            // A symmetric relation has a row for each direction.
            let table = dialect.name(LinkTable.namePrefix + link.name)
            let own = link.isInverse ? "target" : "source", other = link.isInverse ? "source" : "target"
            return
                "(\(idColumn) IN (SELECT \(own) FROM \(table) WHERE \(other) IN (\(try inner("id", model, condition)))))"
        }
    }

    private mutating func inner(
        _ column: String, _ model: RelatedModel, _ condition: QueryExpression, _ addition: String = ""
    ) throws(QueryError) -> String {
        var inner = ConditionSQL(model.schema, dialect, aids)
        let text = try inner.filter(condition)
        values += inner.values
        calculates = calculates || inner.calculates
        return "SELECT \(column) FROM \(dialect.name(model.schema.name)) WHERE \(text)\(addition)"
    }
}
