extension Schema {
    /// Names that forms carry beside a model's own properties.
    package static let reservedPropertyNames: Set<String> = ["id", "version", "draft", "csrf", "return"]
    /// First parts of a path below `/admin` that are not a model.
    package static let reservedSlugs: Set<String> = ["account", "accounts", "activity", "backups", "design", "undo"]
    /// The models that every application has.
    package static let builtIn = [
        Account.schema, AccountSession.schema, SignInAttempts.schema, SignInLink.schema, AuditEvent.schema,
    ]

    static func checkNames(_ models: [ModelSchema]) throws(SchemaError) {
        var slugs: [String: String] = [:]
        for model in models {
            if model.isBuiltIn, builtIn.allSatisfy({ $0.name != model.name }) {
                throw SchemaError(
                    model: model.name,
                    "has a name that begins with \"aviary_\", which is kept for the store's own tables. Rename the model."
                )
            }
            if !model.isBuiltIn, reservedSlugs.contains(model.slug) {
                throw SchemaError(
                    model: model.name,
                    "has the address /admin/\(model.slug), which the admin itself uses. Rename the model, or give it another slug:."
                )
            }
            if !model.isBuiltIn, let other = slugs.updateValue(model.name, forKey: model.slug) {
                throw SchemaError(
                    model: model.name,
                    "has the same address /admin/\(model.slug) as \(other). Rename one, or give it another slug:.")
            }
            try checkPropertyNames(of: model)
            try checkAttributes(of: model)
        }
    }

    // SQLite does not mind the case of a column's name.
    private static func checkPropertyNames(of model: ModelSchema) throws(SchemaError) {
        var names: Set<String> = []
        for property in model.properties {
            let name = property.name.lowercased()
            if reservedPropertyNames.contains(name) {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "has a name that forms use for themselves. Rename the property.")
            }
            if name.hasPrefix("aviary_") {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "begins with \"aviary_\", which is kept for the store's own columns. Rename the property.")
            }
            guard names.insert(name).inserted else {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "has the same name as another property, but for the case. Rename one: SQLite takes them for one column."
                )
            }
        }
    }
}
