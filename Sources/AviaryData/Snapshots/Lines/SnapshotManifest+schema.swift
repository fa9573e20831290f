import AviaryDomain

// The models of the program that wrote the snapshot, made anew from the first line: no Swift type stands behind them.
extension SnapshotManifest {
    /// - Parameter wanted: The program's own, which know what a snapshot holds of a model.
    /// - Throws: ``SnapshotError``.
    static func schema(_ value: JSONValue, like wanted: Schema) throws(SnapshotError) -> Schema {
        guard let list = value["models"]?.list else { throw incomplete }
        var models: [ModelSchema] = []
        for entry in list {
            guard let name = entry["name"]?.text, let properties = entry["properties"]?.list else { throw incomplete }
            var found: [PropertySchema] = []
            for property in properties { found.append(try Self.property(property, of: name)) }
            models.append(
                ModelSchema(name: name, properties: found).snapshots(
                    wanted.model(name)?.snapshotContent ?? .withoutSecrets))
        }
        do {
            return try Schema(models)
        } catch {
            throw SnapshotError(.malformedManifest(localized("its models do not fit together.")))
        }
    }

    private static func property(_ value: JSONValue, of model: String) throws(SnapshotError) -> PropertySchema {
        guard let name = value["name"]?.text, let type = type(of: value), let isOptional = value["optional"]?.boolean,
            let attributes = value["attributes"]?.texts
        else { throw incomplete }
        return PropertySchema(
            name: name, type: type, isOptional: isOptional,
            // What decides how records are kept; rules are for what is new.
            attributes: Set([AttributeOption.unique, .secret].filter { attributes.contains($0.name) }),
            keyPath: place("\(model).\(name)"), relationship: try relationship(value, type), makeDefault: nil
        )
    }

    private static func relationship(
        _ value: JSONValue, _ type: PropertyType
    ) throws(SnapshotError) -> RelationshipOptions? {
        guard case .toMany(let target) = type else { return nil }
        let rule = value["deleteRule"]?.text.flatMap(DeleteRule.init) ?? .nullify
        let minimum = try count("minimumModelCount", in: value)
        let maximum = try count("maximumModelCount", in: value)
        if value["symmetric"]?.boolean == true {
            return RelationshipOptions(
                .symmetric, deleteRule: rule, minimumModelCount: minimum, maximumModelCount: maximum)
        }
        return RelationshipOptions(
            deleteRule: rule, minimumModelCount: minimum, maximumModelCount: maximum,
            inverse: value["inverse"]?.text.map { place("\(target).\($0)") }
        )
    }

    private static func count(_ name: String, in value: JSONValue) throws(SnapshotError) -> Int? {
        guard let written = value[name] else { return nil }
        guard let count = written.integer, possibleCounts.contains(count) else { throw incomplete }
        return Int(count)
    }

    private static func type(of property: JSONValue) -> PropertyType? {
        switch property["type"]?.text {
        case "choice": property["choices"]?.texts.map(PropertyType.choice)
        case "toOne": property["model"]?.text.map { .toOne(model: $0) }
        case "toMany": property["model"]?.text.map { .toMany(model: $0) }
        case let name?: PropertyType(name: name)
        case nil: nil
        }
    }

    /// A key path for a property without a type: two are the same where model and name are.
    private static func place(_ name: String) -> any AnyKeyPath & Sendable { \NamedPlaces.[name] }
}

private struct NamedPlaces {
    subscript(name: String) -> Bool { name.isEmpty }
}
