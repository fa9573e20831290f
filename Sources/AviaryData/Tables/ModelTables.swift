import AviaryDomain

/// The tables of all models.
struct ModelTables: Sendable {
    let schema: Schema
    let all: [ModelTable]
    private let byName: [String: ModelTable]

    init(_ schema: Schema) {
        self.schema = schema
        all = schema.models.map { ModelTable($0, in: schema) }
        byName = Dictionary(all.map { ($0.model.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(model: String) -> ModelTable? { byName[model] }
}
