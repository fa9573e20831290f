import AviaryDesign
import AviaryDomain
import Foundation

/// A converter of records into table rows. Anything that depends only on the columns is computed once per page, not
/// once per cell.
struct RowCells {
    private struct Column {
        /// The index in the stored values; nil for a computed column.
        let index: Int?
        let computed: ComputedColumn?
        let property: PropertySchema
        let choices: [String: TableCell]
        let format: CellFormat?
        /// The related records of a to-many column; nil for any other.
        var related: [UUID: RelatedSummary]?
        /// The values by record of a column whose values come from other records; nil for any other.
        var values: [UUID: FieldValue]?
    }

    private let schema: ModelSchema
    private let columns: [Column]

    /// Creates the converter for a list.
    ///
    /// - Parameters:
    ///   - names: The names of the columns; by default those of the configuration.
    ///   - related: The contents of the to-many columns, by property name and record.
    ///   - values: The values of the columns that come from other records, by column and record.
    init(
        _ configuration: ModelConfiguration, columns names: [String]? = nil,
        related: [String: [UUID: RelatedSummary]] = [:], values: [String: [UUID: FieldValue]] = [:]
    ) {
        schema = configuration.schema
        columns = (names ?? configuration.columns).compactMap { name in
            if let computed = configuration.computedColumns[name] {
                return Column(
                    index: nil, computed: computed, property: computed.property,
                    choices: Self.choiceCells(computed.property), format: nil, values: values[name])
            }
            guard let property = configuration.schema.property(name) else { return nil }
            if let related = related[name] {
                return Column(
                    index: nil, computed: nil, property: property, choices: [:], format: nil, related: related)
            }
            guard let index = configuration.schema.storedIndex(of: name) else { return nil }
            return Column(
                index: index, computed: nil, property: property, choices: Self.choiceCells(property),
                format: configuration.formats[name])
        }
    }

    /// Returns the row of a record.
    ///
    /// - Parameters:
    ///   - number: The number of the row on its page, starting at 1.
    ///   - isSaved: A Boolean value that indicates whether the row is marked as saved just now.
    func row(
        _ record: Record, number: Int, paths: ModelPaths, location: String, isSaved: Bool = false
    ) -> TableRow {
        let id = record.id.canonicalText, cells = columns.map { cell($0, of: record) }
        let title = record.title(in: schema)
        return TableRow(
            id: id, href: (paths.list + "/" + id).withQuery(location),
            title: title == id ? description(cells, number) : title, cells: cells, isSaved: isSaved
        )
    }

    /// Returns a description of a record without a title: its first visible values, or its position. Users do not
    /// recognize a record by its identifier.
    private func description(_ cells: [TableCell], _ number: Int) -> String {
        let words = cells.compactMap(\.words).prefix(Self.mostDescribing).map {
            TextFormatter.beginning(of: $0, longest: Self.longestTitle)
        }
        let name = schema.singularName
        guard !words.isEmpty else { return localized("\(name) \(number) on this page") }
        return localized("\(name) (\(words.joined(separator: ", ")))")
    }

    private func cell(_ column: Column, of record: Record) -> TableCell {
        if let related = column.related { return Self.related(related[record.id] ?? .none) }
        guard let value = value(column, of: record) else { return .empty }
        if let text = column.format?.text(value) { return text.isEmpty ? .empty : .text(text) }
        switch (value, column.property.type) {
        case (.null, _): return .empty
        case (.text(let raw), .choice): return column.choices[raw] ?? .text(raw)
        case (.integer(let raw), .integerChoice): return column.choices[String(raw)] ?? .text(String(raw))
        case (.integer(let number), .boolean): return .flag(number != 0)
        case (.text(let address), .url) where PropertyType.followable(address) != nil:
            return .link(title: address, href: address)
        case (.text, .toOne):
            // The title was read together with the row.
            if let title = column.index.flatMap(record.referenceTitle) { return .text(title) }
        default: break
        }
        guard let words = column.property.words(for: value, elements: Self.mostElements), !words.isEmpty else {
            return .empty
        }
        switch (value, column.property.type) {
        case (.text(let text), .date), (.text(let text), .calendarDate): return .date(machine: text, shown: words)
        case (.text, _), (.null, _): return .text(words)
        case (.integer, _), (.real, _), (.blob, _): return .number(words)
        }
    }

    private func value(_ column: Column, of record: Record) -> FieldValue? {
        if let values = column.values { return values[record.id] }
        if let computed = column.computed { return computed.value(record) }
        return column.index.flatMap { record.values.indices.contains($0) ? record.values[$0] : nil }
    }

    /// The largest number of cells in a description. They are enough to distinguish rows.
    private static let mostDescribing = 3

    /// The largest length in characters of a title that shares a cell with others.
    private static let longestTitle = 80

    /// Returns a cell with the first titles and the number of further ones.
    private static func related(_ summary: RelatedSummary) -> TableCell {
        guard !summary.first.isEmpty else { return .empty }
        let titles = summary.first.map { TextFormatter.beginning(of: $0.title, longest: longestTitle) }.joined(
            separator: ", ")
        let rest = summary.count - summary.first.count
        guard rest > 0 else { return .text(titles) }
        return .text(
            summary.count > RelatedSummary.mostCounted
                ? localized("\(titles) and many more") : localized("\(titles) and \(rest) more"))
    }

    /// The largest number of array elements that a cell shows.
    private static let mostElements = 3

    private static func choiceCells(_ property: PropertySchema) -> [String: TableCell] {
        guard let choices = property.type.choices, property.type.isSortable else { return [:] }
        var cells: [String: TableCell] = [:]
        for (index, (choice, label)) in zip(choices, property.choiceLabels).enumerated() {
            cells[choice] = .choice(label: label, hue: index % 8)
        }
        return cells
    }
}

extension TableCell {
    /// The cell's text, or nil if it does not help to identify a record.
    fileprivate var words: String? {
        switch self {
        case .text(let text), .number(let text), .choice(let text, _), .date(_, let text), .link(let text, _):
            text.isBlank ? nil : text
        case .flag, .empty: nil
        }
    }
}
