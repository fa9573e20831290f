import AviaryDomain

// The manifest contains the whole schema, so that a snapshot can be understood without the program that wrote it.
// Only the parts that determine whether the records fit are read back.
extension JSONWriter {
    mutating func schema(_ schema: Schema) {
        raw("{\"models\":")
        list(schema.snapshotModels) { json, model in
            json.raw("{\"name\":")
            json.text(model.name)
            json.raw(",\"properties\":")
            json.list(model.properties) { $0.property($1, in: schema) }
            json.groups("uniqueConstraints", model.uniqueConstraints)
            json.groups("indexes", model.indexes)
            json.raw("}")
        }
        raw("}")
    }

    private mutating func property(_ property: PropertySchema, in schema: Schema) {
        raw("{\"name\":")
        text(property.name)
        raw(",\"type\":")
        type(property.type)
        raw(",\"optional\":")
        boolean(property.isOptional)
        raw(",\"attributes\":")
        list(property.attributes.map(\.name).sorted()) { $0.text($1) }
        if case .toMany(let target) = property.type, let relationship = property.relationship {
            raw(",\"deleteRule\":")
            text(relationship.deleteRule.rawValue)
            if let minimum = relationship.minimumModelCount {
                raw(",\"minimumModelCount\":")
                integer(Int64(minimum))
            }
            if let maximum = relationship.maximumModelCount {
                raw(",\"maximumModelCount\":")
                integer(Int64(maximum))
            }
            if relationship.options.contains(.symmetric) { raw(",\"symmetric\":true") }
            if let inverse = relationship.inverse.flatMap({ schema.model(target)?.property(at: $0) }) {
                raw(",\"inverse\":")
                text(inverse.name)
            }
        }
        raw("}")
    }

    /// Writes the options of several properties together. The options of a single property are among its
    /// attributes.
    private mutating func groups(_ name: String, _ groups: [[String]]) {
        let groups = groups.filter { $0.count > 1 }
        guard !groups.isEmpty else { return }
        raw(",")
        text(name)
        raw(":")
        list(groups) { json, properties in json.list(properties) { $0.text($1) } }
    }

    private mutating func type(_ type: PropertyType) {
        switch type {
        case .choice(let choices):
            raw("\"choice\",\"choices\":")
            list(choices) { $0.text($1) }
        case .toOne(let model):
            raw("\"toOne\",\"model\":")
            text(model)
        case .toMany(let model):
            raw("\"toMany\",\"model\":")
            text(model)
        default: text(type.name)
        }
    }
}

extension SnapshotManifest {
    /// Returns the lines of `Schema.summary` for each model.
    static func summaries(of schema: JSONValue) throws(SnapshotError) -> [String: [String]] {
        guard let models = schema["models"]?.list else { throw incomplete }
        var summaries: [String: [String]] = [:]
        for model in models {
            guard let name = model["name"]?.text, let properties = model["properties"]?.list else { throw incomplete }
            guard !name.hasControlCharacters else { throw unprintable }
            var lines: [String] = []
            var names: Set<String> = []
            for property in properties {
                if let name = property["name"]?.text, !names.insert(name).inserted {
                    throw SnapshotError(.malformedManifest(localized("a property is listed twice.")))
                }
                if let line = try summary(of: property, in: name) { lines.append(line) }
            }
            guard summaries.updateValue(lines, forKey: name) == nil else { throw incomplete }
        }
        return summaries
    }

    /// Returns the names of the relations that are their own inverses.
    static func symmetricRelations(of schema: JSONValue) -> Set<String> {
        var names: Set<String> = []
        for model in schema["models"]?.list ?? [] {
            for property in model["properties"]?.list ?? [] where property["symmetric"]?.boolean == true {
                guard let model = model["name"]?.text, let name = property["name"]?.text else { continue }
                names.insert("\(model).\(name)")
            }
        }
        return names
    }

    /// Returns the line of a property; nil if the property is not stored.
    private static func summary(of property: JSONValue, in model: String) throws(SnapshotError) -> String? {
        guard let name = property["name"]?.text, let type = typeName(of: property),
            let isOptional = property["optional"]?.boolean, let attributes = property["attributes"]?.texts
        else { throw incomplete }
        // A choice may contain any characters: the application defines its values.
        let isPrintable = property["type"]?.text == "choice" || !type.hasControlCharacters
        guard isPrintable, !name.hasControlCharacters else { throw unprintable }
        if property["type"]?.text == "toMany" { return nil }
        return "\(model).\(name) \(type)" + (isOptional ? "?" : "") + (attributes.contains("unique") ? " unique" : "")
    }

    private static func typeName(of property: JSONValue) -> String? {
        switch property["type"]?.text {
        case "choice": property["choices"]?.texts.map { PropertyType.choice($0).name }
        case "toOne": property["model"]?.text.map { PropertyType.toOne(model: $0).name }
        case let name: name
        }
    }

    static var incomplete: SnapshotError { SnapshotError(.malformedManifest(localized("the schema is incomplete."))) }
    static var unprintable: SnapshotError {
        SnapshotError(.malformedManifest(localized("a name contains control characters.")))
    }
}
