/// The migration from one version of the models to the next.
public struct MigrationStage: Sendable {
    package let from: Schema.Version
    package let to: Schema.Version
    /// The names that may be dropped, in the form of ``SchemaChange/subject``.
    package let dropped: Set<String>
    package let conversions: [ModelConversion]
    package let willMigrate: (@Sendable (MigrationContext) throws -> Void)?
    package let didMigrate: (@Sendable (MigrationContext) throws -> Void)?

    /// Creates a stage that the store derives by comparing the two versions.
    ///
    /// - Parameters:
    ///   - fromVersion: The older version.
    ///   - toVersion: The newer version.
    ///   - dropping: The names of models, and of properties such as `Animal.legs`, that are deleted with all their
    ///     values. A migration that would delete others is rejected.
    public static func lightweight(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, dropping: Set<String> = []
    ) -> MigrationStage {
        MigrationStage(
            from: fromVersion.versionIdentifier, to: toVersion.versionIdentifier, dropped: dropping, conversions: [],
            willMigrate: nil, didMigrate: nil
        )
    }

    /// Creates a stage with code of the program, where comparing the versions is not enough.
    ///
    /// ```swift
    /// .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { context in
    ///     // Names become unique: the first record keeps its name.
    ///     var names: Set<String> = []
    ///     try context.enumerate(V1.Animal.self) { animal in
    ///         if !names.insert(animal.name).inserted { try context.delete(animal) }
    ///     }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - fromVersion: The older version.
    ///   - toVersion: The newer version.
    ///   - dropping: The names of models, and of properties such as `Animal.legs`, that are deleted with all their
    ///     values. See ``lightweight(fromVersion:toVersion:dropping:)``.
    ///   - converting: Conversions of models whose records the program creates anew, one by one.
    ///   - willMigrate: A closure that runs before the tables change, with the models of the older version.
    ///   - didMigrate: A closure that runs after the tables have changed, with the models of the newer version.
    public static func custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, dropping: Set<String> = [],
        converting: [ModelConversion] = [], willMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil,
        didMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil
    ) -> MigrationStage {
        MigrationStage(
            from: fromVersion.versionIdentifier, to: toVersion.versionIdentifier, dropped: dropping,
            conversions: converting,
            willMigrate: willMigrate, didMigrate: didMigrate
        )
    }
}
