package import AviaryDesign
package import AviaryDomain

/// The question before a delete of all records that a list finds.
package struct BulkDeletionQuestion: BatchView {
    let list: ListViewModel
    let deletion: BulkDeletion
    /// The number of records; nil if it cannot be counted quickly.
    let count: Int?
    /// The effects of the delete; nil if there are too many records to tell.
    let effects: DeleteQuestion?
    let schema: Schema
    let policy: HistoryPolicy
    let isNameWrong: Bool
    /// The reason why the question is asked again.
    let reason: String?

    package init(
        list: ListViewModel, deletion: BulkDeletion, count: Int?, effects: DeleteQuestion?, schema: Schema,
        policy: HistoryPolicy, isNameWrong: Bool = false, reason: String? = nil
    ) {
        self.list = list
        self.deletion = BulkDeletion(changeSet: deletion.changeSet, allow: effects?.allow)
        self.count = count
        self.effects = effects
        self.schema = schema
        self.policy = policy
        self.isNameWrong = isNameWrong
        self.reason = reason
    }

    /// Indicates whether other records or the role prevent the delete.
    private var isPrevented: Bool { effects.map { $0.confirm == nil } ?? false }

    package var title: String {
        if let effects, isPrevented { return effects.title }
        return localized("Delete \(list.subject(count))?")
    }

    package func render(into html: inout HTML, csrf: String) {
        if let effects, isPrevented {
            html.render(
                Question(
                    title: title, text: effects.lines + [localized("Nothing was deleted.")], links: effects.links,
                    confirmTitle: nil, action: list.paths.batch, csrf: csrf, hidden: [], cancelHref: list.closeHref))
            return
        }
        html.render(
            BatchForm(
                title: title, lines: [reason].compactMap(\.self) + lines, chips: list.chips.map(\.text),
                confirmation: BatchForm.Confirmation(
                    label: localized("To confirm, enter “\(list.schema.pluralName)”"),
                    problem: isNameWrong
                        ? localized("Enter “\(list.schema.pluralName)” exactly as shown. Nothing was deleted.") : nil),
                submitTitle: localized("Delete"), isDangerous: true, action: list.paths.batch, csrf: csrf,
                hidden: list.hidden(deletion), cancelHref: list.closeHref))
    }

    private var lines: [String] {
        let effects = effects.map { $0.allow > 0 || $0.lines.count > 1 ? $0.lines : [] } ?? [along].compactMap(\.self)
        let rules = localized(
            "They are deleted all together or not at all. Records added in the meantime are kept.")
        return effects + [rules, undo]
    }

    /// The time for which the delete can be undone, in words.
    private var undo: String {
        guard !policy.excludedModels.contains(list.schema.name) else {
            return localized("This can’t be undone: no history is kept for \(list.schema.pluralName).")
        }
        let days = Int(policy.maximumAge.components.seconds / 86_400)
        return localized(
            "You can undo this in Activity for \(days) days, unless the history exceeds \(policy.maximumSize >> 20) MiB before."
        )
    }

    /// The records that delete rules may cascade to, in words.
    private var along: String? {
        let keys = schema.foreignKeys(to: list.schema.name).filter { $0.deleteRule == .cascade }
        guard !keys.isEmpty else { return nil }
        let names = keys.map { list.principal.may(.view, $0.model) ? schema.model($0.model)?.pluralName : nil }
        let known = Array(Set(names.compactMap(\.self))).sorted()
        return localized(
            "\(TextFormatter.capitalized(TextFormatter.list(known + (names.contains(nil) ? [localized("other records")] : [])))) that belong to them will be deleted too."
        )
    }
}

extension ListViewModel {
    /// Returns all records of the list in words, for example `1 animal that matches` or `all 10,000+ animals that
    /// match`.
    ///
    /// - Parameter count: The exact number; nil for the number that the page shows.
    func subject(_ count: Int? = nil) -> String {
        if count == 1 || (count == nil && page?.matches == .exactly(1)) {
            return localized("1 \(schema.singularName) that matches")
        }
        let number =
            count.map { TextFormatter.grouped($0) } ?? page?.matches?.inWords
            ?? page.map { TextFormatter.grouped($0.total) }
        let counted = [number, schema.pluralName].compactMap(\.self).joined(separator: " ")
        return query.isFiltered ? localized("all \(counted) that match") : localized("all \(counted)")
    }
}
