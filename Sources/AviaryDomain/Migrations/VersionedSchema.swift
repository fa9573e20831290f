/// The models as one version of the program declared them.
///
/// ```swift
/// enum ZooSchemaV1: VersionedSchema {
///     static let versionIdentifier = Schema.Version(1, 0, 0)
///     static var models: [any Model.Type] { [Animal.self] }
///
///     @Model
///     struct Animal {
///         var name: String
///     }
/// }
/// ```
///
/// A model's name is the name of its type without the types that enclose it, so `ZooSchemaV1.Animal` and
/// `ZooSchemaV2.Animal` are the same model in two versions. The admin shows the newest version.
public protocol VersionedSchema {
    /// The identifier of the version. It increases with each version.
    static var versionIdentifier: Schema.Version { get }
    /// All models of the version, including those that did not change.
    static var models: [any Model.Type] { get }
}

extension Schema {
    /// A version of an application's models, with the three numbers of semantic versioning.
    public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// The major version number.
        public let major: Int
        /// The minor version number.
        public let minor: Int
        /// The patch version number.
        public let patch: Int

        /// Creates a version from its three numbers.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        public static func < (left: Self, right: Self) -> Bool {
            (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
        }

        /// The three numbers, separated by dots: `1.2.0`.
        public var description: String { "\(major).\(minor).\(patch)" }
    }
}

extension Schema.Version {
    /// Parses a version in the format of ``description``.
    package init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2] else {
            return nil
        }
        self.init(major, minor, patch)
    }
}

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
