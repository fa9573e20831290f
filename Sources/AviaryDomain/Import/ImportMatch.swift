/// The key by which an import recognizes existing records.
package enum ImportMatch: Sendable, Hashable {
    /// All are new.
    case none
    case id
    /// A unique property.
    case property(String)

    /// `id`, or a property's name.
    package init(named name: String) {
        self = name == "id" ? .id : .property(name)
    }
}
