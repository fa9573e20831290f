package import AviaryDomain

/// What an application's ``AviaryApp/admin`` is built from.
public protocol Admin: Sendable {
    /// The models that it declares.
    var registrations: [ModelRegistration] { get }
}

/// One model with what the admin was told about it.
public struct ModelRegistration: Sendable {
    package let schema: ModelSchema
    /// The list's columns; nil where the standard ones are shown.
    let columns: [AdminColumn]?
    /// What stands behind them.
    let moreColumns: [AdminColumn]

    /// - Throws: ``SchemaError`` for a column that cannot be shown.
    func configuration() throws(SchemaError) -> ModelConfiguration {
        var names: [String] = []
        var computed: [String: ComputedColumn] = [:]
        var titles: [String: String] = [:]
        if columns == nil {
            names = schema.storedProperties.filter { !$0.isSecret }.prefix(Self.standardColumns).map(\.name)
        }
        for column in (columns ?? []) + moreColumns {
            if let property = schema.property(at: column.keyPath) {
                guard !property.isSecret else {
                    throw SchemaError(model: schema.name, property: property.name, "is .secret and a list column. Leave it out: a list would show it.")
                }
                names.append(property.name)
                titles[property.name] = column.title
            } else if let column = column.computed {
                // A dot is in the name of no property.
                let name = "computed.\(computed.count)"
                computed[name] = column
                names.append(name)
            } else {
                throw SchemaError(model: schema.name, "has a list column that is not stored. Columns are the model's own properties and its relations; a computed property is given with a title: .column(\\.age, \"Age\").")
            }
        }
        return ModelConfiguration(schema: schema, columns: names, computedColumns: computed, titles: titles)
    }

    private static let standardColumns = 4
}
