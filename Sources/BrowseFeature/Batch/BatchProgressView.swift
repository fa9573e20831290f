package import AviaryDesign
import AviaryDomain

/// A page of a batch.
package protocol BatchView {
    var title: String { get }
    func render(into html: inout HTML, csrf: String)
}

/// The page with the progress of a batch and the form that continues it.
package struct BatchProgressView: BatchView {
    let list: ListViewModel
    let operation: BatchOperation
    let progress: BatchProgress
    /// The next records; empty if the batch is finished, and nil if they are unknown.
    let part: BatchPart?
    /// The reason why the batch stopped.
    let reason: String?
    let undo: BatchUndo

    package init(
        list: ListViewModel, operation: BatchOperation, progress: BatchProgress, part: BatchPart?,
        reason: String? = nil, undo: BatchUndo = .impossible
    ) {
        self.list = list
        self.operation = operation
        self.progress = progress
        self.part = part
        self.reason = reason
        self.undo = undo
    }

    private var isFinished: Bool { part?.isEmpty == true }
    private var isDelete: Bool { if case .delete = operation { true } else { false } }

    package var title: String {
        guard isDelete else {
            return isFinished ? localized("\(operation.title): done") : localized("\(operation.title): running")
        }
        return isFinished
            ? localized("\(list.schema.pluralTitle) deleted") : localized("Deleting \(list.schema.pluralName)…")
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

    /// The progress in words, for example `Deleted 120 animals. 2 can’t be deleted and were skipped.`
    private var text: String {
        let counted = list.schema.counted(progress.done)
        let done = isDelete ? localized("Deleted \(counted)") : localized("Processed \(counted)")
        var sentences = [isFinished ? done + "." : localized("\(done) so far.")]
        if progress.refused > 0 { sentences.append(skipped) }
        if isFinished, undo.isDone { sentences.append(localized("Everything has been undone since then.")) }
        return sentences.joined(separator: " ")
    }

    private var skipped: String {
        let count = TextFormatter.grouped(progress.refused)
        return isDelete
            ? localized(
                progress.refused, one: "\(count) can’t be deleted and was skipped.",
                other: "\(count) can’t be deleted and were skipped."
            )
            : localized(
                progress.refused, one: "\(count) can’t be changed and was skipped.",
                other: "\(count) can’t be changed and were skipped."
            )
    }

    private var hidden: [(String, String)] {
        var hidden =
            [("do", operation.name), ("all", "1"), ("return", list.location)]
            + progress.fields.map { ($0.name, $0.value) }
        if let part { hidden.append(("part", part.text)) }
        // The user typed the name to confirm when the batch started.
        if isDelete { hidden.append(("name", list.schema.pluralName)) }
        return hidden
    }
}

extension ListViewModel {
    /// Returns the address of the page with the batch's progress.
    package func batchAddress(_ operation: BatchOperation, _ progress: BatchProgress) -> String {
        paths.batch.withQuery(
            FormEncoding.encode(
                [
                    FormField(name: "do", value: operation.name), FormField(name: "all", value: "1"),
                    FormField(name: "return", value: location),
                ]
                    + progress.fields
            ))
    }

    /// Indicates whether the text is the plural name of the model, which the user types to confirm.
    package func isName(_ text: String) -> Bool {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased() == schema.pluralName.lowercased()
    }
}
