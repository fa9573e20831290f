/// The way from one version of the models to the next.
public struct MigrationStage: Sendable {
    package let from: Schema.Version
    package let to: Schema.Version
    /// As ``SchemaChange/subject``.
    package let dropped: Set<String>
    package let conversions: [ModelConversion]
    package let willMigrate: (@Sendable (MigrationContext) throws -> Void)?
    package let didMigrate: (@Sendable (MigrationContext) throws -> Void)?

    /// A way that is found by comparing the versions.
    ///
    /// - Parameter dropping: What goes with all its values: models by their names, and properties as `Animal.legs`. A version
    ///   that has not what an older one had, and does not say so, is refused.
    public static func lightweight(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, dropping: Set<String> = []
    ) -> MigrationStage {
        MigrationStage(
            from: fromVersion.versionIdentifier, to: toVersion.versionIdentifier, dropped: dropping, conversions: [],
            willMigrate: nil, didMigrate: nil
        )
    }

    /// A way that the program goes itself, where comparing is not enough.
    ///
    /// ```swift
    /// .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { context in
    ///     // Names are to be unique: the first keeps its own.
    ///     var names: Set<String> = []
    ///     try context.enumerate(V1.Animal.self) { animal in
    ///         if !names.insert(animal.name).inserted { try context.delete(animal) }
    ///     }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - dropping: As for ``lightweight(fromVersion:toVersion:dropping:)``.
    ///   - converting: Models whose records are made anew, one by one.
    ///   - willMigrate: Called before the tables change, with the models of the older version.
    ///   - didMigrate: Called after it, with those of the newer one.
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
