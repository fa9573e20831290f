/// A model's name and properties.
public struct ModelSchema: Sendable {
    /// The Swift type's name, the table's name in the file.
    public let name: String
    /// All properties but the id, as declared.
    public let properties: [PropertySchema]
    /// Those that have a column, in column order.
    public let storedProperties: [PropertySchema]
    /// The property that names a record to a person: the first text, a required one before others.
    package let titleProperty: PropertySchema?
    /// What people call the model.
    let names: ModelNames
    private let storedIndexes: [String: Int]

    public init<M: Model>(_ model: M.Type, _ definitions: [PropertyDefinition<M>]) {
        self.init(name: M.modelName, properties: definitions.map(\.property))
    }

    package init(name: String, properties: [PropertySchema]) {
        self.name = name
        self.properties = properties
        names = ModelNames(of: name)
        storedProperties = properties.filter(\.type.isStored)
        let texts = storedProperties.filter { $0.type == .string }
        titleProperty = texts.first { $0.attributes.contains(.required) } ?? texts.first
        var indexes: [String: Int] = [:]
        for (index, property) in storedProperties.enumerated() {
            indexes[property.name] = index
        }
        storedIndexes = indexes
    }

    package func property(_ name: String) -> PropertySchema? {
        properties.first { $0.name == name }
    }

    package func property(at keyPath: AnyKeyPath) -> PropertySchema? {
        properties.first { ($0.keyPath as AnyKeyPath) == keyPath }
    }

    package func storedIndex(of name: String) -> Int? {
        storedIndexes[name]
    }

    /// The values a new record begins with.
    package var defaultValues: [FieldValue] {
        storedProperties.map(\.defaultValue)
    }
}
