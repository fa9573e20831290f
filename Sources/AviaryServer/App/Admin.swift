package import AviaryDomain

/// A part of an application's ``AviaryApp/admin``.
public protocol Admin: Sendable {
    /// The models that this part registers.
    var registrations: [ModelRegistration] { get }
}

/// A model together with its declarations for the admin.
public struct ModelRegistration: Sendable {
    package let schema: ModelSchema
    var list = ListDeclarations()
    var sheet = SheetDeclarations()

    /// - Throws: ``SchemaError`` for what a list cannot show or be narrowed by.
    func configuration() throws(SchemaError) -> ModelConfiguration {
        try ModelConfiguration(list, of: schema)
    }
}
