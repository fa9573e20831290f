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

    /// The references that point to records of the model.
    package func foreignKeys(to model: String) -> [ForeignKey] {
        foreignKeys.filter { $0.target == model }
    }

    /// The many-to-many relation that the property shows; nil when it is another kind of property.
    package func link(_ property: String, of model: String) -> LinkEnd? {
        func isSide(_ side: LinkRelation.Side) -> Bool { side.model == model && side.property == property }
        for relation in links {
            if isSide(relation.source) { return LinkEnd(relation, isInverse: false) }
            if isSide(relation.target) { return LinkEnd(relation, isInverse: true) }
        }
        return nil
    }
}
