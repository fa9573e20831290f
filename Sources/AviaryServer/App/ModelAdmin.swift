public import AviaryDomain

/// How the admin shows one model.
///
/// ```swift
/// ModelAdmin(Animal.self)
///     .columns(\.name, \.diet, \.category)
///     .column(\.age, "Age")
/// ```
public struct ModelAdmin<M: Model>: Admin {
    var list = ListDeclarations()
    var sheet = SheetDeclarations()

    public init(_ model: M.Type) {}

    public var registrations: [ModelRegistration] {
        let schema = M.schema.labelled(sheet.labels(of: M.schema)).readOnly(sheet.readOnlyNames(of: M.schema))
        return [ModelRegistration(schema: schema, list: list, sheet: sheet)]
    }
}
