/// The plural categories of Unicode (CLDR). Most languages have `one` and `other`.
public enum PluralForm: String, Sendable, CaseIterable {
    /// The category for 0 in some languages.
    case zero
    /// The category for 1, and for further numbers in some languages.
    case one
    /// The category for 2 in some languages.
    case two
    /// The category for small numbers in some languages.
    case few
    /// The category for large numbers in some languages.
    case many
    /// The category for all other numbers, which every language has.
    case other
}
