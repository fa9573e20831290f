import CPostgreSQL

// Prepared statements of the server, by the types of their values.
extension PostgreSQLConnection {
    /// Prepares a statement for the types of its values, unless it is prepared.
    func prepare(
        _ statement: PostgreSQLStatement, isAssumed: Bool = false, on link: PostgreSQLLink
    ) throws(EngineError) -> String {
        if let known = knownPreparation(of: statement, isAssumed: isAssumed) { return known.name }
        let preparation = PostgreSQLPreparation(
            name: newName(), session: session, types: statement.parameters.types, isAssumed: isAssumed)
        if preparation.types.contains(PostgreSQLType.inferred) {
            preparation.types = try inferTypes(of: preparation, statement, on: link)
        } else {
            let sql = isAssumed ? statement.text.assumingSQL : statement.text.sql
            try link.queuePreparation(preparation.name, sql, types: preparation.types, of: preparation)
        }
        statement.preparations.append(preparation)
        return preparation.name
    }

    /// Returns what the server has prepared for the types of a statement's values; nil if it has not.
    func knownPreparation(
        of statement: PostgreSQLStatement, isAssumed: Bool = false
    ) -> PostgreSQLPreparation? {
        statement.preparations.removeAll { $0.session != session || $0.isLost }
        return statement.preparations.first { $0.isAssumed == isAssumed && statement.parameters.fit($0.types) }
    }

    /// Prepares a statement and asks the server for the types of its parameters.
    func inferTypes(
        of preparation: PostgreSQLPreparation, _ statement: PostgreSQLStatement, on link: PostgreSQLLink
    ) throws(EngineError) -> [UInt32] {
        let sql = preparation.isAssumed ? statement.text.assumingSQL : statement.text.sql
        try link.queuePreparation(preparation.name, sql, types: preparation.types, of: preparation)
        try link.queueDescription(of: preparation.name, sql, isWanted: true)
        let result = try link.exchange()
        defer { PQclear(result) }
        return preparation.types.indices.map { UInt32(PQparamtype(result, Int32($0))) }
    }

    func newName() -> String {
        lastName += 1
        return "s\(lastName)"
    }
}
