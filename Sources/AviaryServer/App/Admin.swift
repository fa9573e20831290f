package import AviaryDomain

/// What an application's ``AviaryApp/admin`` is built from.
public protocol Admin: Sendable {
    /// The models that it declares.
    var registrations: [ModelRegistration] { get }
}

/// One model with what the admin was told about it.
public struct ModelRegistration: Sendable {
    package let schema: ModelSchema
    /// The key paths of the list's columns; nil where the standard ones are shown.
    package let columns: [any AnyKeyPath & Sendable]?

    /// - Throws: ``SchemaError`` for a column that is not a stored property.
    func configuration() throws(SchemaError) -> ModelConfiguration {
        guard let columns else {
            return ModelConfiguration(
                schema: schema, columns: schema.storedProperties.prefix(Self.standardColumns).map(\.name)
            )
        }
        var names: [String] = []
        for keyPath in columns {
            guard let property = schema.property(at: keyPath), property.type.isStored else {
                throw SchemaError(model: schema.name, "has a list column that is not stored. Columns are the model's own properties and its references.")
            }
            names.append(property.name)
        }
        return ModelConfiguration(schema: schema, columns: names)
    }

    private static let standardColumns = 4
}
