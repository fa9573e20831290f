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
