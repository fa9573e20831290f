package import AviaryDomain

/// A file of records that somebody brought: how it would be understood, and what would come of it.
package struct ImportViewModel: Sendable {
    /// Of the file's lines so many are looked at before it is imported.
    static let previewedLines = 1000
    static let shownLines = 8
    /// What a worker, which has others to serve, keeps of a file in memory.
    static let limits = RecordImport.Limits(records: 500_000, together: 20_000)

    package let schema: ModelSchema
    package let settings: ImportSettings
    package let preview: ImportPreview
    /// The import that was tried, and nothing was stored by; nil before.
    let tried: ImportJob?
    let models: Schema
    let principal: Principal

    /// - Parameters:
    ///   - form: What was chosen; nil for what is thought of first.
    ///   - tried: What came of it when it was to be imported as the form says.
    /// - Throws: ``AccessRefusal``; ``ImportError`` where the file has no columns; what reading throws.
    package init(
        _ source: any ImportSource, form: [FormField]?, for schema: ModelSchema, in models: Schema,
        principal: Principal,
        lookUp: any RecordLookUp, tried: ImportJob? = nil
    ) async throws {
        try Self.check(principal, schema)
        let columns = try source.columns()
        let settings =
            form.map { ImportSettings($0, columns: columns.count) }
            ?? ImportSettings(properties: RecordImport(model: schema, schema: models).suggestion(for: columns))
        self.schema = schema
        self.models = models
        self.principal = principal
        self.settings = settings
        self.tried = tried
        preview = try await Self.records(settings, columns, schema, models, principal)
            .preview(source, lookUp: lookUp, lines: Self.previewedLines, shown: Self.shownLines)
    }

    package static func check(_ principal: Principal, _ schema: ModelSchema) throws(AccessRefusal) {
        guard principal.may(.view, schema.name) else { throw .hidden }
        guard principal.may(.add, schema.name) else { throw .forbidden }
    }

    static func records(
        _ settings: ImportSettings, _ columns: [String], _ schema: ModelSchema, _ models: Schema, _ principal: Principal
    ) -> RecordImport {
        let offered = Set(offered(schema, models, principal).map(\.name))
        let mapping = settings.mapping(of: columns).filter { $0.property == "id" || offered.contains($0.property) }
        return RecordImport(
            model: schema, schema: models,
            // None at all would be taken for every column of a property's name.
            mapping: mapping.isEmpty ? [FieldMapping(property: "id", column: "")] : mapping,
            nullMarkers: Set(settings.nullMarkers),
            createRelated: settings.createsRelated && mayCreateRelated(schema, models, principal),
            match: match(settings.match, schema, principal),
            limits: limits
        )
    }

    /// Nobody finds out through a file which records have a value that they may not see.
    private static func match(_ match: ImportMatch, _ schema: ModelSchema, _ principal: Principal) -> ImportMatch {
        guard principal.may(.edit, schema.name) else { return .none }
        if case .property(let name) = match, !principal.maySet(name, of: schema) { return .none }
        return match
    }

    /// What a column may fill: nobody finds out through a file which records there are that they may not see.
    static func offered(_ schema: ModelSchema, _ models: Schema, _ principal: Principal) -> [PropertySchema] {
        RecordImport.fillable(of: schema, in: models).filter { principal.maySet($0.name, of: schema) }
    }

    static func mayCreateRelated(_ schema: ModelSchema, _ models: Schema, _ principal: Principal) -> Bool {
        let related = offered(schema, models, principal).compactMap(\.type.model).filter { $0 != schema.name }
        return !related.isEmpty
            && related.allSatisfy { name in
                guard principal.may(.add, name), let other = models.model(name) else { return false }
                return other.titleProperty.map { principal.maySet($0.name, of: other) } ?? true
            }
    }
}
