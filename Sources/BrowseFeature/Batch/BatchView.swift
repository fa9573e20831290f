package import AviaryDesign
package import AviaryDomain
package import Foundation

/// A page of an operation on many records.
package protocol BatchView {
    var title: String { get }
    func render(into html: inout HTML, csrf: String)
}

/// The question before an action on many records.
package struct BatchQuestion: BatchView {
    let list: ListViewModel
    let action: BulkAction
    /// The selected records; empty for all records that match the list's query.
    let ids: [UUID]
    /// The first part of all matching records, if it was found quickly.
    let part: BatchPart?
    /// The progress of the new batch. It is created with the question, so that records that are created later are
    /// excluded.
    private let progress = BatchProgress()

    package init(list: ListViewModel, action: BulkAction, ids: [UUID], part: BatchPart? = nil) {
        self.list = list
        self.action = action
        self.ids = ids
        self.part = part
    }

    package var title: String { "\(action.title): \(ids.isEmpty ? list.subject() : list.schema.counted(ids.count))?" }

    package func render(into html: inout HTML, csrf: String) {
        html.render(
            BatchForm(
                title: title,
                lines: ids.isEmpty ? [localized("Records added in the meantime stay unchanged.")] : [],
                chips: ids.isEmpty ? list.chips.map(\.text) : [], confirmation: nil, submitTitle: action.title,
                isDangerous: false, action: list.paths.batch, csrf: csrf, hidden: hidden, cancelHref: list.closeHref))
    }

    private var hidden: [(String, String)] {
        var hidden = [("do", action.name), ("return", list.location)]
        hidden += ids.map { ("id", $0.canonicalText) }
        guard ids.isEmpty else { return hidden + [("changeset", UUID.version7().canonicalText)] }
        hidden += [("all", "1")] + progress.fields.map { ($0.name, $0.value) }
        if let part { hidden.append(("part", part.text)) }
        return hidden
    }
}

/// The page with the progress of a batch and the form that continues it.
package struct BatchProgressView: BatchView {
    let list: ListViewModel
    let action: BulkAction
    let progress: BatchProgress
    /// The next records; empty if the batch is finished, and nil if they are unknown.
    let part: BatchPart?
    /// The reason why the batch stopped.
    let reason: String?
    let undo: BatchUndo

    package init(
        list: ListViewModel, action: BulkAction, progress: BatchProgress, part: BatchPart?,
        reason: String? = nil, undo: BatchUndo = .impossible
    ) {
        self.list = list
        self.action = action
        self.progress = progress
        self.part = part
        self.reason = reason
        self.undo = undo
    }

    private var isFinished: Bool { part?.isEmpty == true }

    package var title: String {
        isFinished ? localized("\(action.title): done") : localized("\(action.title): running")
    }

    package func render(into html: inout HTML, csrf: String) {
        html.render(
            BatchStatus(
                title: title, text: text, problem: reason, isFinished: isFinished,
                action: list.paths.batch, csrf: csrf, hidden: hidden,
                backTitle: isFinished ? localized("Back to the \(list.schema.pluralName)") : localized("Stop"),
                backHref: list.closeHref, undo: isFinished ? undo.action : nil
            ))
    }

    /// The progress in words, for example `Processed 120 animals. 2 can’t be changed and were skipped.`
    private var text: String {
        let done = localized("Processed \(list.schema.counted(progress.done))")
        var sentences = [isFinished ? done + "." : localized("\(done) so far.")]
        if progress.refused > 0 {
            let count = TextFormatter.grouped(progress.refused)
            sentences.append(
                localized(
                    progress.refused, one: "\(count) can’t be changed and was skipped.",
                    other: "\(count) can’t be changed and were skipped."))
        }
        if isFinished, undo.isDone { sentences.append(localized("Everything has been undone since then.")) }
        return sentences.joined(separator: " ")
    }

    private var hidden: [(String, String)] {
        var hidden =
            [("do", action.name), ("all", "1"), ("return", list.location)]
            + progress.fields.map { ($0.name, $0.value) }
        if let part { hidden.append(("part", part.text)) }
        return hidden
    }
}

extension ListViewModel {
    /// Returns the address of the page with the batch's progress.
    package func batchAddress(_ action: BulkAction, _ progress: BatchProgress) -> String {
        paths.batch.withQuery(
            FormEncoding.encode(
                [
                    FormField(name: "do", value: action.name), FormField(name: "all", value: "1"),
                    FormField(name: "return", value: location),
                ]
                    + progress.fields
            ))
    }
}
