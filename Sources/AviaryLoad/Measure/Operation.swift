/// What is timed. An action is timed from the moment at which it was meant to begin to its end, retries included; a
/// request, whose name has a dot, from when it is sent to its answer.
enum Operation: String, Sendable, CaseIterable {
    case add, browse, edit, delete, draft, refused
    case addOpen = "add.open", addSave = "add.save"
    case list = "browse.list", record = "browse.record", sort = "browse.sort"
    case editOpen = "edit.open", editSave = "edit.save"
    case deleteAsk = "delete.ask", deleteConfirm = "delete.confirm"
    case draftOpen = "draft.open", draftKeep = "draft.keep", draftDiscard = "draft.discard"
    case refusedSave = "refused.save"
    /// Reading the list before and after the run: no part of the load.
    case check

    /// Whether it shows stored records and changes nothing.
    var isRead: Bool {
        switch self {
        case .list, .record, .sort: true
        default: false
        }
    }

    var isAction: Bool {
        switch self {
        case .add, .browse, .edit, .delete, .draft, .refused: true
        default: false
        }
    }
}

extension Action {
    var operation: Operation {
        switch self {
        case .add: .add
        case .browse: .browse
        case .edit: .edit
        case .delete: .delete
        case .cancelDraft: .draft
        case .refusedAdd: .refused
        }
    }
}
