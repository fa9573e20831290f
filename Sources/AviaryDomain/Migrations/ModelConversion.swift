/// A conversion of each record of a model's older version to its newer version.
///
/// ```swift
/// ModelConversion(from: ZooSchemaV1.Animal.self, to: ZooSchemaV2.Animal.self) { old in
///     ZooSchemaV2.Animal(name: old.name, habitats: old.habitat.split(separator: ",").map(String.init))
/// }
/// ```
///
/// Every record is kept under its id. The id of the record that the closure returns has no effect.
public struct ModelConversion: Sendable {
    package let source: String
    package let target: String
    /// The schema of the older version, for reading its values.
    package let sourceSchema: ModelSchema
    package let convert: @Sendable (Record) throws -> [FieldValue]

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - from: The model in the older version.
    ///   - to: The model in the newer version.
    ///   - convert: A closure that is called once for each record. An error that it throws ends the migration, and
    ///     nothing has changed.
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
