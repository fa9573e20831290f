/// An index over (property, id), by which lists of the model sort.
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

    // A dot is in no Swift identifier, so two indexes never share a name.
    var name: String { Self.namePrefix + model + "." + property }

    /// Creates an index from its name; nil for a name of something else.
    init?(name: String) {
        guard name.hasPrefix(Self.namePrefix) else { return nil }
        let parts = name.dropFirst(Self.namePrefix.count).split(separator: ".")
        guard parts.count == 2, let model = parts.first, let property = parts.last else { return nil }
        self.init(model: String(model), property: String(property))
    }
}

/// An index that belongs to a model's table, found again by its name.
struct TableIndex: Sendable, Hashable {
    let name: String
    let model: String
    /// The properties whose values the index contains.
    let properties: [String]
    var isUnique = false
    /// The statement.
    let creation: String
}

extension TableIndex {
    /// The prefixes of the names of such indexes. Everything else in the file belongs to others and remains.
    static let namePrefixes = ["aviary_unique.", "aviary_reference.", "aviary_index."]

    static func isName(_ name: String) -> Bool {
        namePrefixes.contains(where: name.hasPrefix)
    }
}
