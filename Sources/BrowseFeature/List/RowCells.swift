import AviaryDesign
import AviaryDomain
import Foundation

/// Turns records into rows. What depends on the columns alone is worked out once a page, not once a cell.
struct RowCells {
    private struct Column {
        /// Among the stored values; nil of a computed column.
        let index: Int?
        let computed: ComputedColumn?
        let property: PropertySchema
        let choices: [String: TableCell]
        let format: CellFormat?
        /// Of a to-many column; nil of any other.
        var related: [UUID: RelatedSummary]?
    }

    private let schema: ModelSchema
    private let columns: [Column]

    /// - Parameters:
    ///   - names: Of the columns; those of the configuration unless given.
    ///   - related: What stands in the to-many columns, by property name and record.
    init(_ configuration: ModelConfiguration, columns names: [String]? = nil, related: [String: [UUID: RelatedSummary]] = [:]) {
        schema = configuration.schema
        columns = (names ?? configuration.columns).compactMap { name in
            if let computed = configuration.computedColumns[name] {
                return Column(
                    index: nil, computed: computed, property: computed.property, choices: Self.choiceCells(computed.property), format: nil)
            }
            guard let property = configuration.schema.property(name) else { return nil }
            if let related = related[name] {
                return Column(index: nil, computed: nil, property: property, choices: [:], format: nil, related: related)
            }
            guard let index = configuration.schema.storedIndex(of: name) else { return nil }
            return Column(
                index: index, computed: nil, property: property, choices: Self.choiceCells(property), format: configuration.formats[name])
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
        if let related = column.related { return Self.related(related[record.id] ?? .none) }
        guard let value = value(column, of: record) else { return .empty }
        if let text = column.format?.text(value) { return text.isEmpty ? .empty : .text(text) }
        switch (value, column.property.type) {
        case (.null, _): return .empty
        case (.text(""), .string) where column.computed != nil: return .empty
        case (.blob(let bytes), _): return .number(PropertyType.size(ofBytes: bytes.count))
        case (.text(let raw), .choice): return column.choices[raw] ?? .text(raw)
        case (.integer(let raw), .integerChoice): return column.choices[String(raw)] ?? .text(String(raw))
        case (.text(let address), .url): return PropertyType.followable(address).map { .link(title: address, href: $0) } ?? .text(address)
        case (let array, .array(let element)): return Self.list(array, of: element, column.property)
        case (.text(let text), .json): return .text(Self.beginning(of: text))
        case (.text(let id), .toOne): return .text(column.index.flatMap(record.referenceTitle) ?? id)
        case (.text(let text), .date): return .date(machine: text, shown: DateWords.dateAndTime(text))
        case (.text(let text), .calendarDate): return .date(machine: text, shown: DateWords.day(text))
        case (.text(let text), _): return .text(text)
        case (.integer(let number), .boolean): return .flag(number != 0)
        case (let number, let type): return .number(Self.grouped(type.formText(of: number)))
        }
    }

    private func value(_ column: Column, of record: Record) -> FieldValue? {
        if let computed = column.computed { return computed.value(record) }
        return column.index.flatMap { record.values.indices.contains($0) ? record.values[$0] : nil }
    }

    /// The first titles, and how many more there are.
    private static func related(_ summary: RelatedSummary) -> TableCell {
        guard !summary.first.isEmpty else { return .empty }
        let titles = summary.first.map { beginning(of: $0.title) }.joined(separator: ", ")
        let rest = summary.count - summary.first.count
        guard rest > 0 else { return .text(titles) }
        return .text(summary.count > RelatedSummary.mostCounted ? localized("\(titles) and many more") : localized("\(titles) and \(rest) more"))
    }

    /// Elements of an array that a cell shows.
    private static let mostElements = 3
    /// Characters of a JSON text that a cell shows.
    private static let longestText = 80

    private static func list(_ array: FieldValue, of element: PropertyType, _ property: PropertySchema) -> TableCell {
        guard let elements = property.elements(of: array) else { return .text(beginning(of: array.formText)) }
        guard !elements.isEmpty else { return .empty }
        let words = elements.prefix(mostElements).map { word($0, of: element, property) }
        let rest = elements.count - words.count
        return .text(rest > 0 ? localized("\(words.joined(separator: ", ")) and \(rest) more") : words.joined(separator: ", "))
    }

    private static func word(_ value: FieldValue, of type: PropertyType, _ property: PropertySchema) -> String {
        if let index = type.choices?.firstIndex(of: value.formText), property.choiceLabels.indices.contains(index) {
            return property.choiceLabels[index]
        }
        return switch (value, type) {
        case (.null, _): "–"
        case (.blob(let bytes), _): PropertyType.size(ofBytes: bytes.count)
        case (.text(let text), .date): DateWords.dateAndTime(text)
        case (.text(let text), .calendarDate): DateWords.day(text)
        case (.text, _): beginning(of: type.formText(of: value))
        default: Words.grouped(type.formText(of: value))
        }
    }

    /// Four digits are read without help, and may be a year.
    static func grouped(_ number: String) -> String {
        number.prefix { $0 != "." }.count { $0.isNumber } > 4 ? NumberText.grouped(number) : NumberText.ungrouped(number)
    }

    private static func beginning(of text: String) -> String {
        text.count > longestText ? text.prefix(longestText) + "…" : text
    }

    private static func choiceCells(_ property: PropertySchema) -> [String: TableCell] {
        guard let choices = property.type.choices, property.type.isSortable else { return [:] }
        var cells: [String: TableCell] = [:]
        for (index, (choice, label)) in zip(choices, property.choiceLabels).enumerated() {
            cells[choice] = .choice(label: label, hue: index % 8)
        }
        return cells
    }
}
