/// All models of an application, with their relations resolved.
public struct Schema: Sendable {
    public let models: [ModelSchema]
    /// Every to-one property with the rule that its target's to-many side declares.
    public let foreignKeys: [ForeignKey]
    private let indexes: [String: Int]

    /// - Throws: ``SchemaError`` naming the model, the property and what to change.
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
        foreignKeys = try Schema.resolveRelations(models)
    }

    package func model(_ name: String) -> ModelSchema? {
        indexes[name].map { models[$0] }
    }

    /// The references that point to records of the model.
    package func foreignKeys(to model: String) -> [ForeignKey] {
        foreignKeys.filter { $0.target == model }
    }
}
