import AviaryDesign
import AviaryDomain
import Foundation

/// Turns records into rows. What depends on the columns alone is worked out once a page, not once a cell.
struct RowCells {
    private struct Column {
        let index: Int
        let property: PropertySchema
        let choices: [String: TableCell]
    }

    private let schema: ModelSchema
    private let columns: [Column]

    init(_ configuration: ModelConfiguration) {
        schema = configuration.schema
        columns = configuration.columns.compactMap { name in
            guard let index = configuration.schema.storedIndex(of: name),
                  let property = configuration.schema.property(name)
            else { return nil }
            return Column(index: index, property: property, choices: Self.choiceCells(property))
        }
    }

    func row(_ record: Record, paths: ModelPaths, location: String) -> TableRow {
        let id = record.id.canonicalText
        return TableRow(
            id: id, href: (paths.list + "/" + id).withQuery(location), title: record.title(in: schema),
            cells: columns.map { cell($0, of: record) }
        )
    }

    private func cell(_ column: Column, of record: Record) -> TableCell {
        guard column.index < record.values.count else { return .empty }
        switch (record.values[column.index], column.property.type) {
        case (.null, _), (.blob, _): return .empty
        case (.text(let raw), .choice): return column.choices[raw] ?? .text(raw)
        case (.text(let id), .toOne): return .text(record.referenceTitle(at: column.index) ?? id)
        case (.text(let text), .date): return .date(machine: text, shown: DateWords.dateAndTime(text))
        case (.text(let text), .calendarDate): return .date(machine: text, shown: DateWords.day(text))
        case (.text(let text), _): return .text(text)
        case (.integer(let number), .boolean): return .flag(number != 0)
        case (.integer(let number), _): return .number(Words.grouped(Int(number)))
        case (.real, _): return .number(record.values[column.index].formText)
        }
    }

    private static func choiceCells(_ property: PropertySchema) -> [String: TableCell] {
        guard case .choice(let choices) = property.type else { return [:] }
        var cells: [String: TableCell] = [:]
        for (index, (choice, label)) in zip(choices, property.choiceLabels).enumerated() {
            cells[choice] = .choice(label: label, hue: index % 8)
        }
        return cells
    }
}
