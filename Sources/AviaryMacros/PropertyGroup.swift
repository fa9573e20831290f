import SwiftSyntax

/// A list of properties in `#Unique` or `#Index`.
struct PropertyGroup {
    enum Kind: String {
        case unique = "Unique"
        case index = "Index"
    }

    let kind: Kind
    let properties: [ModelProperty]

    /// As an element of the list that the schema takes.
    var code: String {
        "[" + properties.map { "\\Self.\($0.identifier)" }.joined(separator: ", ") + "]"
    }
}
