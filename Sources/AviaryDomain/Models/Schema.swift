/// All models of an application, with their relations resolved.
public struct Schema: Sendable {
    /// The models, in the order of their registration.
    public let models: [ModelSchema]
    /// The references of all models, each with the delete rule that the to-many property of its target declares.
    public let foreignKeys: [ForeignKey]
    /// The many-to-many relations, each once.
    public let links: [LinkRelation]
    private let indexes: [String: Int]

    /// Creates a schema from the models of an application.
    ///
    /// - Parameter models: The models. Each name occurs once, and each relation has its inverse.
    /// - Throws: ``SchemaError`` that names the model, the property and what to change.
    public init(_ models: [ModelSchema]) throws(SchemaError) {
        var indexes: [String: Int] = [:]
        for (index, model) in models.enumerated() {
            guard indexes.updateValue(index, forKey: model.name) == nil else {
                throw SchemaError(model: model.name, "is registered twice. Register each model once.")
            }
        }
        try Schema.checkNames(models)
        self.models = models
        self.indexes = indexes
        let relations = try RelationResolution(models)
        foreignKeys = relations.foreignKeys
        links = relations.links
    }

    package func model(_ name: String) -> ModelSchema? {
        indexes[name].map { models[$0] }
    }

    /// Returns the references that point to records of the model.
    package func foreignKeys(to model: String) -> [ForeignKey] {
        foreignKeys.filter { $0.target == model }
    }

    /// Returns the many-to-many relation that the property represents; nil when it is another kind of property.
    package func link(_ property: String, of model: String) -> LinkEnd? {
        func isSide(_ side: LinkRelation.Side) -> Bool { side.model == model && side.property == property }
        for relation in links {
            if isSide(relation.source) { return LinkEnd(relation, isInverse: false) }
            if isSide(relation.target) { return LinkEnd(relation, isInverse: true) }
        }
        return nil
    }
}

/// An error that reports a mistake in the declaration of models. It is thrown when the application starts.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the model, or of the migration plan.
    public let model: String
    /// The name of the property; nil when the mistake concerns the whole model.
    public let property: String?
    /// The mistake and what to change, as the end of a sentence whose subject is the property or the model.
    public let reason: String

    package init(model: String, property: String? = nil, _ reason: String) {
        self.model = model
        self.property = property
        self.reason = reason
    }

    /// The model, the property and the mistake in one line.
    public var description: String {
        model + (property.map { ".\($0)" } ?? "") + " " + reason
    }
}

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
                    model: model.name, "has \(TextFormatter.list(group)) twice in \(macro) or @Attribute. Remove one."
                )
            }
        }
    }

    // SQLite compares column names without regard to case.
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

extension Schema {
    /// The names that forms use in addition to a model's own properties.
    package static let reservedPropertyNames: Set<String> = ["id", "version", "draft", "csrf", "return"]
    /// The first path components below `/admin` that are not a model.
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

    // SQLite compares column names without regard to case.
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
