extension Schema {
    /// Checks that the options of `@Attribute`, `#Unique` and `#Index` fit the properties.
    static func checkAttributes(of model: ModelSchema) throws(SchemaError) {
        for property in model.properties {
            if let mistake = property.attributeMistake(in: model) {
                throw SchemaError(model: model.name, property: property.name, mistake)
            }
        }
        try checkGroups(model.uniqueConstraints, "#Unique", of: model)
        try checkGroups(model.indexes, "#Index", of: model)
        try checkOriginalNames(of: model)
    }

    private static func checkGroups(
        _ groups: [[String]], _ macro: String, of model: ModelSchema
    ) throws(SchemaError) {
        var seen: Set<[String]> = []
        for group in groups {
            for (index, name) in group.enumerated() {
                guard model.storedIndex(of: name) != nil else {
                    let what = name.isEmpty ? "what is no property of it" : name + ", which is not stored"
                    throw SchemaError(
                        model: model.name,
                        "names \(what) in \(macro). Name stored properties of the model itself: [\\.title, \\.year]."
                    )
                }
                if group[..<index].contains(name) {
                    throw SchemaError(
                        model: model.name, property: name, "is named twice in one list of \(macro). Remove one.")
                }
            }
            guard !group.isEmpty else {
                throw SchemaError(
                    model: model.name, "has an empty list in \(macro). Name the properties, or remove it.")
            }
            guard seen.insert(group).inserted else {
                throw SchemaError(
                    model: model.name, "has \(Words.list(group)) twice in \(macro) or @Attribute. Remove one."
                )
            }
        }
    }

    // SQLite does not mind the case of a column's name.
    private static func checkOriginalNames(of model: ModelSchema) throws(SchemaError) {
        let names = Set(model.properties.map { $0.name.lowercased() })
        var originals: Set<String> = []
        for property in model.properties {
            guard let original = property.originalName else { continue }
            if names.contains(original.lowercased()) {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "has the originalName \"\(original)\", which is the name of a property that is there. Remove the option."
                )
            }
            guard originals.insert(original.lowercased()).inserted else {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "has the same originalName \"\(original)\" as another property. Only one can take over its values."
                )
            }
        }
    }
}
