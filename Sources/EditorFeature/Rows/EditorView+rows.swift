import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// Stands for the id of a row that a script makes.
    private static let blankID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    func rowGroup(_ list: RowList) -> RowGroup {
        let property = list.rows.property
        let name = list.schema.singularName
        return RowGroup(
            name: property, label: model.schema.property(property)?.label ?? list.schema.pluralTitle,
            rows: list.entries.enumerated().map { row($1, number: $0 + 1, of: list) },
            blank: list.mayAdd && list.hasRoom ? row(list.blank(Self.blankID), number: nil, of: list) : nil,
            add: list.mayAdd && list.hasRoom
                ? SheetButton(title: "Add \(name)", name: FormNames.step, value: SheetStep.addRow(property).text, action: model.paths.keepDraft)
                : nil,
            notes: notes(on: list), error: model.problems.first { $0.property == property }?.message
        )
    }

    private func notes(on list: RowList) -> [String] {
        var notes = model.sheet.help[list.rows.property].map { [$0] } ?? []
        if list.hiddenCount > 0 {
            let count = RelatedSummary.mostCounted <= list.hiddenCount + RowList.mostRows ? "many" : Words.grouped(list.hiddenCount)
            notes.append("And \(count) more, which stay as they are.")
        }
        return notes
    }

    private func row(_ row: ChildRow, number: Int?, of list: RowList) -> RowGroup.Row {
        let names = RowNames(list.rows.property)
        let title = list.schema.titleName
        return RowGroup.Row(
            id: names.entry(row.id), title: number.map { row.isNew ? "\(title) \($0), new" : "\(title) \($0)" } ?? "\(title), new",
            hidden: [(names.list, RowKey.text(row)), (names.origin(of: row.id), row.origin)],
            fields: list.properties.map { field($0, of: row, in: list) },
            removal: row.isNew || list.mayDelete
                ? (name: names.removal(of: row.id), isOn: row.isRemoved, label: row.isNew ? "Leave this out" : "Remove with Save") : nil,
            error: model.problems.first { $0.property == names.entry(row.id) }?.message
        )
    }

    private func field(_ property: PropertySchema, of row: ChildRow, in list: RowList) -> Field {
        let name = RowNames(list.rows.property).field(property.name, of: row.id)
        let text = row.fields[property.name] ?? ""
        let options = choices[list.rows.property + "." + property.name] ?? []
        let view = EditorView(
            model: model, choices: [property.name: options], csrf: "", location: ""
        )
        let isOpen = list.isOpen(row)
        return Field(
            name: name, label: property.type == .date ? property.label + " (UTC)" : property.label,
            control: isOpen ? view.rowControl(property, text: text) : .fixed(text: text.isEmpty ? "–" : view.shown(text, of: property)),
            help: row.stored[property.name].map { "Stored now: \(view.shown($0, of: property))" } ?? view.hint(property, text: text),
            error: model.problems.first { $0.property == name }?.message,
            isRequired: isOpen && property.isRequired && !property.alwaysHasValue, courtesy: property.courtesy
        )
    }

    /// What it has, for whoever may only look.
    func fixedRows(_ list: RowList) -> Field {
        let titles = list.entries.map { row in
            list.schema.titleProperty.flatMap { row.fields[$0.name] } ?? list.properties.first.flatMap { row.fields[$0.name] } ?? ""
        }
        let rest = list.hiddenCount > 0 ? " and more" : ""
        return Field(
            name: list.rows.property, label: model.schema.property(list.rows.property)?.label ?? list.schema.pluralTitle,
            control: .fixed(text: titles.isEmpty ? "–" : titles.joined(separator: ", ") + rest)
        )
    }
}
