/// Two texts of one field, of which one can stay.
package struct FieldComparison: Sendable, Hashable {
    package enum Side: String, Sendable, Hashable {
        case mine, theirs
    }

    /// What it was when the editor opened the record; nil when that is not known any more.
    package let before: String?
    /// As it is stored now.
    package let theirs: String
    package let mine: String
    /// Which one stays; nil as long as nobody has said it.
    package internal(set) var kept: Side?
}
