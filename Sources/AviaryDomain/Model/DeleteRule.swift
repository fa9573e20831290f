/// What happens to the records of a to-many relation when the record that owns it is deleted.
///
/// Each side of a many-to-many relation has a rule of its own: `.deny` at `Book.authors` keeps a book that has authors, and
/// lets an author go whose `books` say `.nullify`.
///
/// The store resolves the rule itself, inside the commit, so that totals and receipts see every record that goes.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// Nothing: the change set is refused if it leaves a reference or a link to the record in the end.
    case noAction
    /// Their reference is set to nil, or their link ends. For a reference that is not optional this is `deny`.
    case nullify
    /// They are deleted too, and by their own rules what belongs to them.
    case cascade
    /// The delete is refused while there are any, unless they are deleted, or related to something else, together with it.
    case deny
}
