/// A plan that migrates a store's file from any version of the models to the newest.
///
/// ```swift
/// enum ZooMigrationPlan: SchemaMigrationPlan {
///     static var schemas: [any VersionedSchema.Type] { [ZooSchemaV1.self, ZooSchemaV2.self] }
///     static var stages: [MigrationStage] {
///         [
///             .custom(
///                 fromVersion: ZooSchemaV1.self, toVersion: ZooSchemaV2.self,
///                 converting: [
///                     ModelConversion(from: ZooSchemaV1.Animal.self, to: Animal.self) { old in
///                         Animal(name: old.name, weight: Decimal(old.grams) / 1000)
///                     }
///                 ])
///         ]
///     }
/// }
///
/// @main
/// struct Zoo: AviaryApp {
///     var migrationPlan: (any SchemaMigrationPlan.Type)? { ZooMigrationPlan.self }
/// }
/// ```
///
/// The store finds the version of the file and runs all stages that follow it in one transaction. A program that is
/// killed during the migration leaves the file unchanged.
///
/// A change that needs no decision needs no plan: the store compares the file with the program and finds added models
/// and properties, renamed properties, wider types, indexes and relations.
public protocol SchemaMigrationPlan {
    /// The versions, from the oldest to the newest. The newest has the models that the program registers.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The stages, at most one from each version to the next. Without a stage between two versions, the migration is
    /// lightweight.
    static var stages: [MigrationStage] { get }
}
