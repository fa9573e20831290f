/// A request that does not fit the model. For the caller to answer with "not found".
package enum PageRequestError: Error, Sendable, Hashable, CustomStringConvertible {
    case unknownProperty(model: String, property: String)
    /// The property has no index to sort by. Sorting without one would read the whole table.
    case notSortable(model: String, property: String)

    package var description: String {
        switch self {
        case .unknownProperty(let model, let property): "\(model) stores no property \"\(property)\"."
        case .notSortable(let model, let property):
            "\(model) cannot be sorted by \(property). Give the admin that column, so that it gets an index."
        }
    }
}
