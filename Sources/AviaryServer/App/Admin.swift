package import AviaryDomain

/// What an application's ``AviaryApp/admin`` is built from.
public protocol Admin: Sendable {
    /// The models that it declares.
    var registrations: [ModelRegistration] { get }
}

/// One model with what the admin was told about it.
public struct ModelRegistration: Sendable {
    package let schema: ModelSchema
    var list = ListDeclarations()
    var sheet = SheetDeclarations()

    /// - Throws: ``SchemaError`` for what a list cannot show or be narrowed by.
    func configuration() throws(SchemaError) -> ModelConfiguration {
        try ModelConfiguration(list, of: schema)
    }
}
