/// How a store's file gets from any version of the models to the newest.
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
/// A store that has one of the versions goes through all stages that follow it, in one transaction: a program that is
/// killed on the way leaves the file as it was. What needs no decision needs no plan either: added models and properties,
/// renamed properties, wider types, indexes and relations are found by comparing the file with the program.
public protocol SchemaMigrationPlan {
    /// From the oldest to the newest, which has the models that the program registers.
    static var schemas: [any VersionedSchema.Type] { get }
    /// From each version to the next; two versions without a stage between them are taken for a lightweight one.
    static var stages: [MigrationStage] { get }
}
