import AviaryDomain

extension StoreLayout {
    /// - Throws: ``StoreOpenError/schemaChanged(missing:added:)`` when a model that has a table is not as the file has it.
    static func check(_ schema: Schema, againstFileOf connection: any Connection) throws {
        let known = try TotalTable.models(in: connection)
        let stored = try lines(in: connection)
        let wanted = schema.summary.filter { known.contains(modelName(ofLine: $0)) }
        var missing = stored.filter { !wanted.contains($0) }
        // A model without stored properties has no line of its own.
        let named = Set(missing.map(modelName))
        missing += known.filter { schema.model($0) == nil && !named.contains($0) }.sorted()
        let added = wanted.filter { !stored.contains($0) }
        guard missing.isEmpty, added.isEmpty else {
            throw StoreOpenError.schemaChanged(missing: missing, added: added)
        }
    }

    /// A reader's schema must be in the file, which may have more models.
    static func checkReadable(_ schema: Schema, in connection: any Connection) throws {
        let stored = try lines(in: connection)
        let known = try TotalTable.models(in: connection)
        let added = schema.summary.filter { !stored.contains($0) }
            + schema.models.map(\.name).filter { !known.contains($0) }
        let models = Set(schema.models.map(\.name))
        let missing = stored.filter { models.contains(modelName(ofLine: $0)) && !schema.summary.contains($0) }
        guard missing.isEmpty, added.isEmpty else {
            throw StoreOpenError.schemaChanged(missing: missing, added: added)
        }
    }

    private static func lines(in connection: any Connection) throws -> [String] {
        guard case .text(let summary) = try MetaTable.value(.schema, in: connection) else { return [] }
        return summary.split(separator: "\n").map(String.init)
    }

    private static func modelName(ofLine line: String) -> String {
        String(line.prefix { $0 != "." })
    }
}
