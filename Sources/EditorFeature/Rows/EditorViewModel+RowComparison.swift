package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// Lays what is stored beside each row of which the editor saw an older version, as it is done with the record's own fields.
    /// A row that is gone goes on as a new one with what was typed, where the editor may add one.
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
                // Without the history every difference is to be chosen.
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

    /// Whether the page showed a row beside what others made of it.
    package var hasComparedRows: Bool { rowLists.values.contains { $0.entries.contains { $0.against != nil } } }

    /// Where nothing else is said above the fields.
    package mutating func tellOfRows() {
        if message == nil { message = changeMessage([]) }
    }

    private mutating func compared(_ row: ChildRow, of list: RowList, _ past: RecordPast?, at now: Date) -> ChildRow {
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
        tell(changed(list, past, at: now))
        if wasChanged || row.isRemoved {
            let note = row.isOwnChange ? localized("You changed this elsewhere meanwhile.") : note(past)
            add(row.isRemoved ? note + " " + localized("It is not removed yet.") : note, to: row.id, of: list)
        }
        return row
    }

    /// Nil for a row of which nothing was typed.
    private mutating func addedAgain(_ row: ChildRow, of list: RowList, _ past: RecordPast?, at now: Date) -> ChildRow?
    {
        guard row.isChanged, !row.isRemoved else { return nil }
        guard list.mayAdd else {
            tell(deleted(list, past, at: now))
            add(
                localized(
                    "Somebody deleted this meanwhile, and you may not add it again. Copy what you need of it, then leave it out."
                ),
                to: row.id, of: list
            )
            return row
        }
        let again = ChildRow(id: .version7(), version: nil, fields: row.fields, untouched: row.untouched, origin: "")
        tell(deleted(list, past, at: now))
        add(
            localized(
                "Somebody deleted this meanwhile. Save adds it again with your text; remove the row to leave it out."),
            to: again.id, of: list
        )
        return again
    }

    private mutating func tell(_ sentence: String) {
        if !rowChanges.contains(sentence) { rowChanges.append(sentence) }
    }

    private mutating func add(_ sentence: String, to row: UUID, of list: RowList) {
        let problem = FieldProblem(property: RowNames(list.rows.property).entry(row), message: sentence)
        if !problems.contains(problem) { problems.append(problem) }
    }

    private func note(_ past: RecordPast?) -> String {
        past?.author == nil
            ? localized("This was changed meanwhile.") : localized("Somebody else changed this meanwhile.")
    }

    private func changed(_ list: RowList, _ past: RecordPast?, at now: Date) -> String {
        let child = list.schema.singularName, name = schema.singularName
        guard let author = past?.author, let time = past?.time else {
            return localized("A \(child) of this \(name) was changed while you were editing.")
        }
        let age = DateWords.age(of: time, at: now)
        return author == principal.name
            ? localized("You changed a \(child) of this \(name) elsewhere while you were editing here (\(age)).")
            : localized(
                "Someone else changed a \(child) of this \(name) while you were editing (\(Words.author(author) + ", " + age))."
            )
    }

    private func deleted(_ list: RowList, _ past: RecordPast?, at now: Date) -> String {
        let child = list.schema.singularName, name = schema.singularName
        guard let author = past?.author, let time = past?.time else {
            return localized("A \(child) of this \(name) was deleted while you were editing.")
        }
        let age = DateWords.age(of: time, at: now)
        return localized(
            "A \(child) of this \(name) was deleted while you were editing (\(Words.author(author) + ", " + age)).")
    }
}
