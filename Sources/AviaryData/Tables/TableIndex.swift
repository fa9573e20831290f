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
