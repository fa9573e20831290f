package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The question before a batch operation.
package struct BatchQuestion: BatchView {
    let list: ListViewModel
    let operation: BatchOperation
    /// The selected records; empty for all records that match the list's query.
    let ids: [UUID]
    /// The schema, which determines the records that a delete cascades to.
    let schema: Schema?
    /// The first part of all matching records, if it was found quickly.
    let part: BatchPart?
    let isNameWrong: Bool
    /// The progress of the new batch. It is created with the question, so that records that are created later are
    /// excluded.
    private let progress = BatchProgress()

    package init(
        list: ListViewModel, operation: BatchOperation, ids: [UUID], schema: Schema? = nil, part: BatchPart? = nil,
        isNameWrong: Bool = false
    ) {
        self.list = list
        self.operation = operation
        self.ids = ids
        self.schema = schema
        self.part = part
        self.isNameWrong = isNameWrong
    }

    package var title: String { isDelete ? localized("Delete \(subject)?") : "\(operation.title): \(subject)?" }

    private var isDelete: Bool { if case .delete = operation { true } else { false } }

    /// The affected records in words, for example `3 animals` or `all 10,000+ animals that match`.
    private var subject: String {
        guard ids.isEmpty else { return list.schema.counted(ids.count) }
        if list.page?.matches == .exactly(1) { return localized("1 \(list.schema.singularName) that matches") }
        let number = list.page?.matches?.inWords ?? list.page.map { TextFormatter.grouped($0.total) }
        let counted = [number, list.schema.pluralName].compactMap(\.self).joined(separator: " ")
        return list.query.isFiltered ? localized("all \(counted) that match") : localized("all \(counted)")
    }

    package func render(into html: inout HTML, csrf: String) {
        html.render(
            BatchForm(
                title: title, lines: lines, chips: ids.isEmpty ? list.chips.map(\.text) : [],
                confirmation: isDelete && ids.isEmpty
                    ? BatchForm.Confirmation(
                        label: localized("To confirm, enter “\(list.schema.pluralName)”"),
                        problem: isNameWrong
                            ? localized("Enter “\(list.schema.pluralName)” exactly as shown. Nothing was deleted.")
                            : nil
                    ) : nil,
                submitTitle: operation.title, isDangerous: isDelete, action: list.paths.batch, csrf: csrf,
                hidden: hidden,
                cancelHref: list.closeHref
            ))
    }

    private var lines: [String] {
        guard ids.isEmpty else { return [] }
        guard isDelete else { return [localized("Records added in the meantime stay unchanged.")] }
        let rules = localized(
            "Records added in the meantime are kept. Records that can’t be deleted are skipped. You can undo this in Activity as long as the history is kept."
        )
        return [along, rules].compactMap(\.self)
    }

    /// The records that delete rules may cascade to, in words.
    private var along: String? {
        guard let schema else { return nil }
        let keys = schema.foreignKeys(to: list.schema.name).filter { $0.deleteRule == .cascade }
        guard !keys.isEmpty else { return nil }
        let names = keys.map { list.principal.may(.view, $0.model) ? schema.model($0.model)?.pluralName : nil }
        let known = Array(Set(names.compactMap(\.self))).sorted()
        return localized(
            "\(TextFormatter.capitalized(TextFormatter.list(known + (names.contains(nil) ? [localized("other records")] : [])))) that belong to them will be deleted too."
        )
    }

    private var hidden: [(String, String)] {
        var hidden = [("do", operation.name), ("return", list.location)]
        hidden += ids.map { ("id", $0.canonicalText) }
        guard ids.isEmpty else { return hidden + [("changeset", UUID.version7().canonicalText)] }
        hidden += [("all", "1")] + progress.fields.map { ($0.name, $0.value) }
        if let part { hidden.append(("part", part.text)) }
        return hidden
    }
}
