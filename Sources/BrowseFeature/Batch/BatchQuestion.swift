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
