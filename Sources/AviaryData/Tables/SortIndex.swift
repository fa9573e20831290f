/// An index of (property, id) by which lists of the model are sorted.
package struct SortIndex: Sendable, Hashable {
    package let model: String
    package let property: String

    package init(model: String, property: String) {
        self.model = model
        self.property = property
    }
}

extension SortIndex {
    static let namePrefix = "aviary_sort."

    // No Swift identifier contains a dot, so no two indexes have the same name.
    var name: String { Self.namePrefix + model + "." + property }

    /// Creates an index from its name; nil for any other name.
    init?(name: String) {
        guard name.hasPrefix(Self.namePrefix) else { return nil }
        let parts = name.dropFirst(Self.namePrefix.count).split(separator: ".")
        guard parts.count == 2, let model = parts.first, let property = parts.last else { return nil }
        self.init(model: String(model), property: String(property))
    }
}

/// An index of a model's table, which is identified by its name.
struct TableIndex: Sendable, Hashable {
    let name: String
    let model: String
    /// The properties whose values the index contains.
    let properties: [String]
    var isUnique = false
    /// The statement that creates the index.
    let creation: String
}

extension TableIndex {
    /// The prefixes of the names of such indexes. Any other index in the file is not changed.
    static let namePrefixes = ["aviary_unique.", "aviary_reference.", "aviary_index."]

    static func isName(_ name: String) -> Bool {
        namePrefixes.contains(where: name.hasPrefix)
    }
}
