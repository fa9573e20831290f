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
    /// - Throws: ``SchemaError`` that names the model, the property and what to change, with all other mistakes.
    public init(_ models: [ModelSchema]) throws(SchemaError) {
        var indexes: [String: Int] = [:]
        for (index, model) in models.enumerated() {
            guard indexes.updateValue(index, forKey: model.name) == nil else {
                throw SchemaError(model: model.name, "is registered twice. Register each model once.")
            }
        }
        var errors = SchemaErrors()
        Schema.checkNames(models, &errors)
        let relations = errors.collect { () throws(SchemaError) in try RelationResolution(models) }
        try errors.check()
        self.models = models
        self.indexes = indexes
        foreignKeys = relations?.foreignKeys ?? []
        links = relations?.links ?? []
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

/// An error that reports the mistakes in the declaration of an application. It is thrown when the application starts.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the model, of the migration plan, of the role or of the route.
    public let model: String
    /// The name of the property; nil when the mistake concerns the whole model.
    public let property: String?
    /// The mistake and what to change, as the end of a sentence whose subject is the property or the model.
    public let reason: String
    /// The other mistakes, which were found at the same time.
    public private(set) var others: [SchemaError] = []

    package init(model: String, property: String? = nil, _ reason: String) {
        self.model = model
        self.property = property
        self.reason = reason
    }

    /// Creates one error of several; nil when there are none.
    package init?(_ errors: [SchemaError]) {
        let all = errors.flatMap(\.all)
        guard let first = all.first else { return nil }
        self = first
        others = Array(all.dropFirst())
    }

    /// The mistake and the others, each alone.
    package var all: [SchemaError] {
        [SchemaError(model: model, property: property, reason)] + others
    }

    /// The model, the property and the mistake, in one line for each mistake.
    public var description: String {
        all.map { $0.model + ($0.property.map { ".\($0)" } ?? "") + " " + $0.reason }.joined(separator: "\n")
    }
}

/// A collector of the mistakes in a declaration, so that one start of the application reports all of them.
package struct SchemaErrors {
    private var errors: [SchemaError] = []

    package init() {}

    package var isEmpty: Bool { errors.isEmpty }

    package mutating func add(_ error: SchemaError) { errors.append(error) }

    /// Returns the result of the closure; nil when it throws.
    @discardableResult
    package mutating func collect<Result>(_ body: () throws(SchemaError) -> Result) -> Result? {
        do {
            return try body()
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// Throws the mistakes as one error, if there are any.
    package func check() throws(SchemaError) {
        if let error = SchemaError(errors) { throw error }
    }
}

extension Schema {
    /// Checks that the options of `@Attribute`, `#Unique` and `#Index` fit the properties.
    static func checkAttributes(of model: ModelSchema, _ errors: inout SchemaErrors) {
        var hasMistake = false
        for property in model.properties {
            if let mistake = property.attributeMistake(in: model) {
                errors.add(SchemaError(model: model.name, property: property.name, mistake))
                hasMistake = true
            }
        }
        // An attribute at a wrong property would be reported again as a list of one property.
        if !hasMistake {
            errors.collect { () throws(SchemaError) in try checkGroups(model.uniqueConstraints, "#Unique", of: model) }
            errors.collect { () throws(SchemaError) in try checkGroups(model.indexes, "#Index", of: model) }
        }
        errors.collect { () throws(SchemaError) in try checkOriginalNames(of: model) }
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
    /// The names that SQLite gives to the number of a row.
    private static let rowNumberNames: Set<String> = ["rowid", "_rowid_", "oid"]
    /// The first path components below `/admin` that are not a model.
    package static let reservedSlugs: Set<String> = ["account", "accounts", "activity", "backups", "undo"]
    /// The models that every application has.
    package static let builtIn = [
        Account.schema, AccountSession.schema, SignInAttempts.schema, SignInLink.schema, AuditEvent.schema,
    ]

    static func checkNames(_ models: [ModelSchema], _ errors: inout SchemaErrors) {
        var slugs: [String: String] = [:]
        for model in models {
            errors.collect { () throws(SchemaError) in try checkName(of: model, &slugs) }
            checkPropertyNames(of: model, &errors)
            checkAttributes(of: model, &errors)
        }
    }

    private static func checkName(of model: ModelSchema, _ slugs: inout [String: String]) throws(SchemaError) {
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
    }

    // SQLite compares column names without regard to case.
    private static func checkPropertyNames(of model: ModelSchema, _ errors: inout SchemaErrors) {
        var names: Set<String> = []
        for property in model.properties {
            let name = property.name.lowercased()
            if reservedPropertyNames.contains(name) {
                errors.add(
                    SchemaError(
                        model: model.name, property: property.name,
                        "has a name that forms use for themselves. Rename the property."))
            }
            if rowNumberNames.contains(name) {
                errors.add(
                    SchemaError(
                        model: model.name, property: property.name,
                        "has the name of a column that every table of SQLite has. Rename the property."))
            }
            if name.hasPrefix("aviary_") {
                errors.add(
                    SchemaError(
                        model: model.name, property: property.name,
                        "begins with \"aviary_\", which is kept for the store's own columns. Rename the property."))
            }
            if !names.insert(name).inserted {
                errors.add(
                    SchemaError(
                        model: model.name, property: property.name,
                        "has the same name as another property, but for the case. Rename one: SQLite takes them for one column."
                    ))
            }
        }
    }
}
