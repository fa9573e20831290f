public import Foundation

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

/// An error that ended a migration. The store's file is unchanged. The error never contains values of records.
///
/// Later versions may add codes. Compare ``code`` with the codes that you handle, and use ``description`` for the
/// others.
public struct MigrationError: Error, Sendable, Hashable {
    /// The error with its details, for exhaustive matching within the package.
    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    /// The kind of the error.
    public var code: Code {
        switch reason {
        case .unknownModel: .unknownModel
        case .unknownRelation: .unknownRelation
        case .notFound: .notFound
        case .alreadyExists: .alreadyExists
        case .invalid: .invalid
        case .failed: .failed
        }
    }

    /// The name of the model that the error concerns; nil for ``Code/unknownRelation`` and ``Code/failed``.
    public var model: String? {
        switch reason {
        case .unknownModel(let model), .notFound(let model, _), .alreadyExists(let model, _),
            .invalid(let model, _, _, _):
            model
        case .unknownRelation, .failed: nil
        }
    }

    /// The id of the record of ``Code/notFound``, ``Code/alreadyExists`` or ``Code/invalid``; otherwise nil.
    public var recordID: UUID? {
        switch reason {
        case .notFound(_, let id), .alreadyExists(_, let id), .invalid(_, let id, _, _): id
        case .unknownModel, .unknownRelation, .failed: nil
        }
    }

    /// The name of the property of ``Code/invalid``; otherwise nil.
    public var property: String? {
        if case .invalid(_, _, let property, _) = reason { property } else { nil }
    }

    /// The name of the stage of ``Code/failed``; otherwise nil.
    public var stage: String? {
        if case .failed(let stage, _) = reason { stage } else { nil }
    }
}

extension MigrationError {
    /// A kind of error of a migration.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `notFound`.
        public let description: String

        fileprivate init(_ name: String) {
            description = name
        }

        /// Indicates a model that the version does not have.
        public static let unknownModel = Code("unknownModel")
        /// Indicates a many-to-many relation that the version does not have.
        public static let unknownRelation = Code("unknownRelation")
        /// Indicates that a record to update, delete or link does not exist.
        public static let notFound = Code("notFound")
        /// Indicates that another record already has the id of a record to insert.
        public static let alreadyExists = Code("alreadyExists")
        /// Indicates that a record of a stage has a value that its model does not accept.
        public static let invalid = Code("invalid")
        /// Indicates that a stage threw an error, which ``MigrationError/description`` describes.
        public static let failed = Code("failed")
    }

    package enum Reason: Sendable, Hashable {
        case unknownModel(String)
        /// An unknown relation, as the model and its property.
        case unknownRelation(String)
        case notFound(model: String, id: UUID)
        case alreadyExists(model: String, id: UUID)
        case invalid(model: String, id: UUID, property: String, reason: String)
        /// An error that a stage threw; `reason` describes it.
        case failed(stage: String, reason: String)
    }

    package static func unknownModel(_ model: String) -> Self { Self(.unknownModel(model)) }
    package static func unknownRelation(_ property: String) -> Self { Self(.unknownRelation(property)) }
    package static func notFound(model: String, id: UUID) -> Self { Self(.notFound(model: model, id: id)) }
    package static func alreadyExists(model: String, id: UUID) -> Self { Self(.alreadyExists(model: model, id: id)) }
    package static func invalid(model: String, id: UUID, property: String, reason: String) -> Self {
        Self(.invalid(model: model, id: id, property: property, reason: reason))
    }
    package static func failed(stage: String, reason: String) -> Self { Self(.failed(stage: stage, reason: reason)) }
}

extension MigrationError: CustomStringConvertible {
    /// A sentence that describes the error and what to do about it.
    public var description: String {
        switch reason {
        case .unknownModel(let model):
            "The version that is migrated has no model \(model). Name it among the version's models."
        case .unknownRelation(let property):
            "\(property) is no many-to-many relation of the version that is migrated. Name a Related whose inverse is a Related too."
        case .notFound(let model, let id):
            "There is no \(model) \(id.canonicalText) to be changed."
        case .alreadyExists(let model, let id):
            "There is a \(model) \(id.canonicalText) already. Give a new record an id of its own."
        case .invalid(let model, let id, let property, let reason):
            "\(model) \(id.canonicalText) would not fit its model: \(property): \(reason)"
        case .failed(let stage, let reason):
            "The stage \(stage) failed: \(reason)"
        }
    }
}

extension MigrationError: RedactedError {
    // The description may contain the text of an error that a stage threw.
    package var redacted: String { "\(Self.self) \(code)" }
}
