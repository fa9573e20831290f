import AviaryDomain

/// The tables of all models.
struct ModelTables: Sendable {
    let schema: Schema
    let dialect: any SQLDialect
    let all: [ModelTable]
    private let byName: [String: ModelTable]

    init(_ schema: Schema, _ dialect: any SQLDialect) {
        self.schema = schema
        self.dialect = dialect
        all = schema.models.map { ModelTable($0, in: schema, dialect) }
        byName = Dictionary(all.map { ($0.model.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(model: String) -> ModelTable? { byName[model] }
}
