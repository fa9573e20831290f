/// A rule for the records of a to-many relation when the record that owns the relation is deleted.
///
/// Each side of a many-to-many relation has its own rule. With `.deny` at `Book.authors`, a book that has authors
/// cannot be deleted. With `.nullify` at `Author.books`, an author can be deleted.
///
/// The store applies the rules itself, inside the commit, so that totals and receipts include every deleted record.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// Changes nothing. The store rejects the change set when a reference or a link to the deleted record remains at
    /// its end.
    case noAction
    /// Sets the reference to nil, or removes the link. For a reference that is not optional, this rule is `deny`.
    case nullify
    /// Deletes the records too, and applies their own delete rules.
    case cascade
    /// Rejects the delete while there are related records, unless the same change set deletes them or relates them to
    /// another record.
    case deny
}
