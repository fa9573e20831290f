package import AviaryDomain

/// What is done with many records, a part after the other.
package enum BatchOperation: Sendable {
    case delete
    case action(BulkAction)

    /// As addresses name it.
    package var name: String {
        switch self {
        case .delete: "delete"
        case .action(let action): action.name
        }
    }

    package var title: String {
        switch self {
        case .delete: localized("Delete")
        case .action(let action): action.title
        }
    }

    var permission: ModelAction {
        switch self {
        case .delete: .delete
        case .action(let action): action.permission
        }
    }
}
