/// Makes each record of a model's older version one of its newer version.
///
/// ```swift
/// ModelConversion(from: ZooSchemaV1.Animal.self, to: ZooSchemaV2.Animal.self) { old in
///     ZooSchemaV2.Animal(name: old.name, habitats: old.habitat.split(separator: ",").map(String.init))
/// }
/// ```
///
/// Every record is kept, under its id: what the closure gives as `id` does not count.
public struct ModelConversion: Sendable {
    package let source: String
    package let target: String
    /// Of the older version, to read the values with.
    package let sourceSchema: ModelSchema
    package let convert: @Sendable (Record) throws -> [FieldValue]

    /// - Parameter convert: Called once a record. What it throws ends the migration, and nothing has changed.
    public init<Old: Model, New: Model>(
        from: Old.Type, to: New.Type, _ convert: @escaping @Sendable (Old) throws -> New
    ) {
        source = Old.modelName
        target = New.modelName
        sourceSchema = Old.schema
        self.convert = { record in
            try convert(try Old(record)).storedValues
        }
    }
}
