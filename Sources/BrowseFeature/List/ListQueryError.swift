/// An address that names something the list does not have.
package enum ListQueryError: Error, Sendable, Hashable {
    case unknownColumn
    case invalidCursor
    case invalidSize
    /// A name stands there twice.
    case ambiguous(name: String)
    case unknownFilter
    /// A filter's value that cannot be read: what the filter is called, and what to write.
    case unreadable(filter: String, advice: String)
    case tooManyValues(filter: String)
    case noSearch
    case searchTooLong
    /// With a character that no stored text has.
    case unreadableSearch
}
