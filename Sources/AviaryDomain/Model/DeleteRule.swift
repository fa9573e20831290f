/// What happens to the records of a to-many relation when the record that owns it is deleted.
///
/// The store resolves the rule itself, inside the commit, so that totals and receipts see every record that goes.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// Nothing: the delete is refused if references to the record would be left dangling.
    case noAction
    /// Their reference is set to nil. For a reference that is not optional this is `deny`.
    case nullify
    /// They are deleted too, and by their own rules what belongs to them.
    case cascade
    /// The delete is refused while there are any.
    case deny
}
