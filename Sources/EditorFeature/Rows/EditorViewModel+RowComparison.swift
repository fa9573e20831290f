package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// Compares the stored rows with the typed texts where the editor loaded an older version, as it does for the
    /// record's own fields.
    ///
    /// A deleted row becomes a new one with the typed text if the user is allowed to add rows.
    package mutating func compareRows(
        history: (any HistoryRepository)?, at now: Date, where isAsked: (ChildRow) -> Bool = { _ in true }
    ) async {
        rowChanges = []
        for rows in sheet.rows {
            guard let list = rowLists[rows.property] else { continue }
            var entries: [ChildRow] = []
            for row in list.entries {
                guard let version = row.version, row.storedVersion != version, isAsked(row) else {
                    entries.append(row)
                    continue
                }
                // If the history cannot be read, the user chooses for every difference.
                let past = (try? await history?.past(of: row.id, in: list.schema.name, since: version)) ?? nil
                if row.storedVersion == nil {
                    if let again = addedAgain(row, of: list, past, at: now) { entries.append(again) }
                } else {
                    entries.append(compared(row, of: list, past, at: now))
                }
            }
            rowLists[rows.property]?.entries = entries
        }
    }

    /// Indicates whether the page compared a row with the changes of others.
    package var hasComparedRows: Bool { rowLists.values.contains { $0.entries.contains { $0.against != nil } } }

    /// Shows the changes to the rows, unless there already is a message above the fields.
    package mutating func addRowMessages() {
        if message == nil { message = changeMessage([]) }
    }

    private mutating func compared(_ row: ChildRow, of list: ChildRowList, _ past: ConcurrentChanges?, at now: Date)
        -> ChildRow
    {
        guard list.isOpen(row) || row.isRemoved else { return row }
        let wasChanged = row.isChanged
        var row = row
        if row.against != row.storedVersion { row.decisions = [:] }
        row.merge = FieldMerge(
            of: list.properties.filter { !$0.isSecret && list.maySet($0) }, theirs: row.untouched, mine: row.fields,
            before: past?.before,
            decisions: row.decisions
        )
        row.fields = list.isOpen(row) ? row.merge.texts(row.fields) : list.texts(of: row.untouched)
        row.origin = ChildRow.digest(list.texts(of: row.untouched))
        row.isOwnChange = past?.author == principal.name
        row.against = row.storedVersion
        row.asksRemoval = row.isRemoved
        guard wasChanged || row.isRemoved || !row.merge.isEmpty else { return row }
        addNotice(changed(list, past, at: now))
        if wasChanged || row.isRemoved {
            let note = row.isOwnChange ? localized("You changed this elsewhere in the meantime.") : note(past)
            add(row.isRemoved ? note + " " + localized("Not removed yet.") : note, to: row.id, of: list)
        }
        return row
    }

    /// Returns the deleted row as a new one, or nil if the user typed nothing into it.
    private mutating func addedAgain(_ row: ChildRow, of list: ChildRowList, _ past: ConcurrentChanges?, at now: Date)
        -> ChildRow?
    {
        guard row.isChanged, !row.isRemoved else { return nil }
        guard list.mayAdd else {
            addNotice(deleted(list, past, at: now))
            add(
                localized(
                    "Someone deleted this in the meantime, and you can’t add it again. Copy your text, then select “Don’t add this row”."
                ),
                to: row.id, of: list
            )
            return row
        }
        let again = ChildRow(id: .version7(), version: nil, fields: row.fields, untouched: row.untouched, origin: "")
        addNotice(deleted(list, past, at: now))
        add(
            localized(
                "Someone deleted this in the meantime. Save adds it again with your changes, unless you select “Don’t add this row”."
            ),
            to: again.id, of: list
        )
        return again
    }

    private mutating func addNotice(_ sentence: String) {
        if !rowChanges.contains(sentence) { rowChanges.append(sentence) }
    }

    private mutating func add(_ sentence: String, to row: UUID, of list: ChildRowList) {
        let problem = FieldProblem(property: RowNames(list.rows.property).entry(row), message: sentence)
        if !problems.contains(problem) { problems.append(problem) }
    }

    private func note(_ past: ConcurrentChanges?) -> String {
        past?.author == nil
            ? localized("This was changed in the meantime.") : localized("Someone else changed this in the meantime.")
    }

    private func changed(_ list: ChildRowList, _ past: ConcurrentChanges?, at now: Date) -> String {
        let child = list.schema.singularName, name = schema.singularName
        guard let author = past?.author, let time = past?.time else {
            return localized("A \(child) of this \(name) was changed while you were editing.")
        }
        let age = DateTextFormatter.age(of: time, at: now)
        return author == principal.name
            ? localized("You changed a \(child) of this \(name) elsewhere while you were editing (\(age)).")
            : localized(
                "Someone else changed a \(child) of this \(name) while you were editing (\(TextFormatter.author(author) + ", " + age))."
            )
    }

    private func deleted(_ list: ChildRowList, _ past: ConcurrentChanges?, at now: Date) -> String {
        let child = list.schema.singularName, name = schema.singularName
        guard let author = past?.author, let time = past?.time else {
            return localized("A \(child) of this \(name) was deleted while you were editing.")
        }
        let age = DateTextFormatter.age(of: time, at: now)
        return localized(
            "A \(child) of this \(name) was deleted while you were editing (\(TextFormatter.author(author) + ", " + age))."
        )
    }
}
