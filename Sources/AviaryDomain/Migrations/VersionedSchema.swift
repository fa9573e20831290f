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
    /// All models of the version, also those that did not change.
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
    /// Reads what ``description`` gives.
    package init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2] else {
            return nil
        }
        self.init(major, minor, patch)
    }
}
