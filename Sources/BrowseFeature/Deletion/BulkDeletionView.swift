package import AviaryDesign
package import AviaryDomain

/// The page of a delete of many records, after the user confirmed it.
package struct BulkDeletionView: BatchView {
    /// The state of the delete.
    package enum State: Sendable {
        /// The delete is under way.
        ///
        /// - Parameter canBeStopped: Indicates whether it is not committed yet.
        case running(progress: String, canBeStopped: Bool)
        /// The delete is not known to be under way, or was refused for the moment. The user can continue it.
        case interrupted(reason: String)
        case refused(reason: String, links: [LinkedText.Link])
        case stopped
        /// The delete is done.
        ///
        /// - Parameter result: What was deleted, in words.
        case done(result: String, undo: BatchUndo)
    }

    let list: ListViewModel
    let deletion: BulkDeletion
    let state: State

    package init(list: ListViewModel, deletion: BulkDeletion, state: State) {
        self.list = list
        self.deletion = deletion
        self.state = state
    }

    package var title: String {
        switch state {
        case .running: localized("Deleting \(list.schema.pluralName)…")
        case .interrupted: localized("\(list.schema.pluralTitle) not deleted yet")
        case .refused: localized("\(list.schema.pluralTitle) not deleted")
        case .stopped: localized("Delete stopped")
        case .done: localized("\(list.schema.pluralTitle) deleted")
        }
    }

    private var back: String { localized("Back to the \(list.schema.pluralName)") }

    package func render(into html: inout HTML, csrf: String) {
        switch state {
        case .running(let progress, let canBeStopped):
            html.render(
                ChangeProgress(
                    title: title, text: progress + " " + localized("You can leave this page."),
                    action: list.paths.batch, csrf: csrf,
                    hidden: canBeStopped ? list.hidden(deletion) + [("stop", "1")] : nil, backTitle: back,
                    backHref: list.closeHref))
        case .interrupted(let reason) where deletion.isOfSelection: refused(reason, [], csrf, into: &html)
        case .interrupted(let reason):
            html.render(
                BatchStatus(
                    title: title, text: localized("Nothing is deleted twice."), problem: reason, isFinished: false,
                    action: list.paths.batch, csrf: csrf,
                    // The user typed the name to confirm when the delete started.
                    hidden: list.hidden(deletion) + [("name", list.schema.pluralName)], backTitle: back,
                    backHref: list.closeHref))
        case .refused(let reason, let links): refused(reason, links, csrf, into: &html)
        case .stopped:
            finished(localized("Nothing was deleted."), nil, csrf, into: &html)
        case .done(let result, let undo):
            let since = undo.isDone ? " " + localized("Everything has been undone since then.") : ""
            finished(result + "." + since, undo.action, csrf, into: &html)
        }
    }

    private func refused(_ reason: String, _ links: [LinkedText.Link], _ csrf: String, into html: inout HTML) {
        html.render(
            Question(
                title: title, text: [reason], links: links, confirmTitle: nil, action: "", csrf: csrf, hidden: [],
                cancelHref: list.closeHref))
    }

    private func finished(_ text: String, _ undo: NoticeAction?, _ csrf: String, into html: inout HTML) {
        html.render(
            BatchStatus(
                title: title, text: text, problem: nil, isFinished: true, action: "", csrf: csrf, hidden: [],
                backTitle: back, backHref: list.closeHref, undo: undo))
    }
}
