extension Schema {
    /// Names that forms carry beside a model's own properties.
    package static let reservedPropertyNames: Set<String> = ["id", "version", "draft", "csrf", "return"]
    /// First parts of a path below `/admin` that are not a model.
    package static let reservedSlugs: Set<String> = ["activity", "backups", "accounts", "undo"]

    static func checkNames(_ models: [ModelSchema]) throws(SchemaError) {
        var slugs: [String: String] = [:]
        for model in models {
            if reservedSlugs.contains(model.slug) {
                throw SchemaError(model: model.name, "has the address /admin/\(model.slug), which the admin itself uses. Rename the model, or give it another slug:.")
            }
            if let other = slugs.updateValue(model.name, forKey: model.slug) {
                throw SchemaError(model: model.name, "has the same address /admin/\(model.slug) as \(other). Rename one, or give it another slug:.")
            }
            try checkPropertyNames(of: model)
        }
    }

    // SQLite does not mind the case of a column's name.
    private static func checkPropertyNames(of model: ModelSchema) throws(SchemaError) {
        var names: Set<String> = []
        for property in model.properties {
            let name = property.name.lowercased()
            if reservedPropertyNames.contains(name) {
                throw SchemaError(model: model.name, property: property.name, "has a name that forms use for themselves. Rename the property.")
            }
            if name.hasPrefix("aviary_") {
                throw SchemaError(model: model.name, property: property.name, "begins with \"aviary_\", which is kept for the store's own columns. Rename the property.")
            }
            guard names.insert(name).inserted else {
                throw SchemaError(model: model.name, property: property.name, "has the same name as another property, but for the case. Rename one: SQLite takes them for one column.")
            }
        }
    }

    static func resolveRelations(_ models: [ModelSchema]) throws(SchemaError) -> [ForeignKey] {
        var rules: [String: DeleteRule] = [:]
        for model in models {
            for property in model.properties {
                guard case .toMany(let target) = property.type else { continue }
                guard let other = models.first(where: { $0.name == target }) else {
                    throw SchemaError(model: model.name, property: property.name, "relates to \(target), which is not registered. Add ModelAdmin(\(target).self) to the admin.")
                }
                guard let keyPath = property.relationship?.inverse else {
                    throw SchemaError(model: model.name, property: property.name, "names no inverse. Write @Relationship(inverse: \\\(target).…) with the reference that points back.")
                }
                guard let inverse = other.property(at: keyPath), case .toOne(let back) = inverse.type, back == model.name else {
                    throw SchemaError(model: model.name, property: property.name, "has an inverse that is not a Reference<\(model.name)> of \(target). Name the property of \(target) that points back.")
                }
                let rule = property.relationship?.deleteRule ?? .nullify
                guard rules.updateValue(rule, forKey: "\(target).\(inverse.name)") == nil else {
                    throw SchemaError(model: model.name, property: property.name, "has the same inverse \(target).\(inverse.name) as another relation. Give each relation a reference of its own.")
                }
            }
        }
        var foreignKeys: [ForeignKey] = []
        for model in models {
            for property in model.storedProperties {
                guard case .toOne(let target) = property.type else { continue }
                guard models.contains(where: { $0.name == target }) else {
                    throw SchemaError(model: model.name, property: property.name, "refers to \(target), which is not registered. Add ModelAdmin(\(target).self) to the admin.")
                }
                let declared = rules["\(model.name).\(property.name)"] ?? .nullify
                let rule = declared == .nullify && !property.isOptional ? .deny : declared
                foreignKeys.append(ForeignKey(model: model.name, property: property.name, target: target, isOptional: property.isOptional, deleteRule: rule))
            }
        }
        return foreignKeys
    }
}
