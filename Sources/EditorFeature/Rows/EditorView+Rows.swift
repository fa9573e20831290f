import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// The placeholder for the identifier of a row that a script creates.
    private static let blankID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    func rowGroup(_ list: ChildRowList) -> InlineRows {
        let property = list.rows.property
        let name = list.schema.singularName
        return InlineRows(
            name: property, label: model.schema.property(property)?.label ?? list.schema.pluralTitle,
            rows: list.entries.enumerated().map { row($1, number: $0 + 1, of: list) },
            blank: list.mayAdd && list.hasRoom ? row(list.blank(Self.blankID), number: nil, of: list) : nil,
            add: list.mayAdd && list.hasRoom
                ? SheetButton(
                    title: localized("Add \(name)"), name: FormNames.step, value: SheetStep.addRow(property).text,
                    action: model.paths.keepDraft)
                : nil,
            notes: notes(on: list), error: model.problems.first { $0.property == property }?.message,
            isRequired: model.allowedCount(of: property).minimum > 0
        )
    }

    private func notes(on list: ChildRowList) -> [String] {
        var notes = model.sheet.help[list.rows.property].map { [$0.translated] } ?? []
        if let rule = countHelp(list.rows.property) { notes.append(rule) }
        if list.hiddenCount > 0 {
            let count =
                RelatedSummary.mostCounted <= list.hiddenCount + ChildRowList.mostRows
                ? localized("many") : TextFormatter.grouped(list.hiddenCount)
            notes.append(localized("And \(count) more, which stay unchanged."))
        }
        return notes
    }

    private func row(_ row: ChildRow, number: Int?, of list: ChildRowList) -> InlineRows.Row {
        let names = RowNames(list.rows.property)
        let title = list.schema.titleName
        return InlineRows.Row(
            id: names.entry(row.id),
            title: number.map { row.isNew ? localized("\(title) \($0), new") : "\(title) \($0)" }
                ?? localized("\(title), new"),
            hidden: hidden(row, names),
            fields: list.properties.map { field($0, of: row, in: list) },
            removal: list.mayRemove(row)
                ? (
                    name: names.removal(of: row.id), isOn: row.isRemoved,
                    label: row.isNew || row.isGone ? localized("Don’t add this row") : localized("Remove when saving")
                ) : nil,
            removalQuestion: removalQuestion(row, names),
            error: model.problems.first { $0.property == names.entry(row.id) }?.message
        )
    }

    private func removalQuestion(_ row: ChildRow, _ names: RowNames) -> Comparison? {
        guard row.asksRemoval else { return nil }
        let kept = row.decisions[ChildRow.removal]
        return Comparison(
            name: names.kept(ChildRow.removal, of: row.id), question: localized("Remove anyway?"),
            choices: [
                Comparison.Choice(
                    value: FieldComparison.Side.mine.rawValue, title: localized("Remove row"),
                    text: localized("Including other people’s changes."),
                    isChosen: kept == .mine
                ),
                Comparison.Choice(
                    value: FieldComparison.Side.theirs.rawValue, title: localized("Keep row"),
                    text: localized("With the values above."),
                    isChosen: kept == .theirs
                ),
            ],
            before: nil
        )
    }

    private func field(_ property: PropertySchema, of row: ChildRow, in list: ChildRowList) -> Field {
        let name = RowNames(list.rows.property).field(property.name, of: row.id)
        let text = row.fields[property.name] ?? ""
        let key = list.rows.property + "." + property.name
        let search = searches[key]
        let view = EditorView(
            model: model, choices: [property.name: choices[key] ?? []],
            searches: search.map { [property.name: $0] } ?? [:], csrf: "", location: ""
        )
        let isOpen = list.isOpen(row) && list.maySet(property)
        let control =
            isOpen
            ? search.map { picker(name, $0, property, text: text) } ?? view.rowControl(property, text: text)
            : view.fixedRowControl(property, text: text)
        return Field(
            name: name, label: isOpen ? property.labelWithZone : property.label, control: control,
            help: view.takenOver(property, row.merge.merged[property.name], isOwn: row.isOwnChange)
                ?? view.hint(property, text: text),
            error: model.problems.first { $0.property == name }?.message,
            isRequired: isOpen && property.isRequired && !property.alwaysHasValue,
            comparison: view.comparison(
                property, row.merge.comparisons[property.name],
                RowNames(list.rows.property).kept(property.name, of: row.id), isOwn: row.isOwnChange
            ),
            clientValidation: property.clientValidation
        )
    }

    private func hidden(_ row: ChildRow, _ names: RowNames) -> [(String, String)] {
        var fields = [(names.list, RowKey.text(row)), (names.origin(of: row.id), row.origin)]
        if let against = row.against {
            fields.append((names.against(of: row.id), String(against)))
            fields.append((names.compared(of: row.id), row.questions.joined(separator: " ")))
        }
        return fields
    }

    /// The first field of a row that requires a choice between two texts.
    var comparedRowField: String? {
        for rows in model.sheet.rows {
            guard let list = model.rowLists[rows.property] else { continue }
            for row in list.entries {
                // The question about the row's removal is shown below its fields.
                guard
                    let property = list.properties.first(where: {
                        row.merge.comparisons[$0.name] != nil || row.asksRemoval
                    })
                else { continue }
                return RowNames(rows.property).field(property.name, of: row.id)
            }
        }
        return nil
    }

    /// Returns a read-only field with the titles of the rows.
    func fixedRows(_ list: ChildRowList) -> Field {
        let titles = list.entries.map { row in
            list.schema.title(typed: { row.fields[$0] }) ?? list.properties.first.flatMap { row.fields[$0.name] } ?? ""
        }
        let shown = titles.isEmpty ? "–" : titles.joined(separator: ", ")
        return Field(
            name: list.rows.property,
            label: model.schema.property(list.rows.property)?.label ?? list.schema.pluralTitle,
            control: .fixed(text: list.hiddenCount > 0 ? localized("\(shown) and more") : shown)
        )
    }
}

extension ChildRow {
    /// The questions that the page asks about the row.
    fileprivate var questions: [String] { merge.comparisons.keys.sorted() + (asksRemoval ? [Self.removal] : []) }
}
