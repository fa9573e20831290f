public import AviaryDomain

/// The declarations of the admin for one model.
///
/// ```swift
/// ModelAdmin(Animal.self)
///     .columns(\.name, \.diet, \.category)
///     .column(\.age, "Age")
/// ```
public struct ModelAdmin<M: Model>: Admin {
    var list = ListDeclarations()
    var sheet = SheetDeclarations()

    /// Registers a model, with the default list and sheet.
    ///
    /// - Parameter model: The model.
    public init(_ model: M.Type) {}

    /// The model together with its declarations.
    public var registrations: [ModelRegistration] {
        let schema = M.schema.labelled(sheet.labels(of: M.schema)).readOnly(sheet.readOnlyNames(of: M.schema))
        return [ModelRegistration(schema: schema, list: list, sheet: sheet)]
    }
}
