package import AviaryDomain
package import Foundation

/// One record among the rows of a sheet, as typed.
package struct ChildRow: Sendable, Hashable, Identifiable {
    package let id: UUID
    /// The version that the editor saw; nil for a new one.
    package internal(set) var version: Int64?
    /// By property name.
    package internal(set) var fields: [String: String]
    /// What is stored, or what a new one begins with: a field that still shows it keeps it.
    let untouched: [String: FieldValue]
    /// Of the texts that the row had before anybody typed. What has it still was not changed, whatever is stored by then.
    var origin: String
    package internal(set) var isRemoved = false
    /// What is stored now of a row that others changed meanwhile.
    package internal(set) var stored: [String: String] = [:]

    package var isNew: Bool { version == nil }
    package var isChanged: Bool { origin != ChildRow.digest(fields) }

    /// Of the texts in the order of their names, line breaks as a browser would send them or not.
    static func digest(_ fields: [String: String]) -> String {
        var hash = FNV1a()
        for (name, text) in fields.sorted(by: { $0.key < $1.key }) {
            for part in [name, text.withLineFeeds] {
                hash.add(part)
                hash.add(0)
            }
        }
        return String(hash.value, radix: 36)
    }
}

/// The rows of one to-many property, with what may be done to them.
package struct RowList: Sendable {
    /// More a sheet does not show.
    package static let mostRows = 50

    package let rows: ChildRows
    package internal(set) var entries: [ChildRow] = []
    /// Stored and not shown: they stay as they are.
    package internal(set) var hiddenCount = 0
    package let mayAdd: Bool
    package let mayEdit: Bool
    package let mayDelete: Bool

    package var schema: ModelSchema { rows.schema }
    var properties: [PropertySchema] { rows.fields.compactMap(schema.property) }
    package var hasRoom: Bool { entries.count < Self.mostRows }

    /// A new row with the defaults.
    package func blank(_ id: UUID = .version7()) -> ChildRow {
        let values = Dictionary(
            zip(schema.storedProperties.map(\.name), schema.defaultValues), uniquingKeysWith: { first, _ in first }
        )
        return row(id, version: nil, values)
    }

    func row(_ record: Record) -> ChildRow {
        let values = Dictionary(
            zip(schema.storedProperties.map(\.name), record.values), uniquingKeysWith: { first, _ in first }
        )
        return row(record.id, version: record.version, values)
    }

    private func row(_ id: UUID, version: Int64?, _ values: [String: FieldValue]) -> ChildRow {
        var fields: [String: String] = [:]
        for property in properties { fields[property.name] = property.controlText(of: values[property.name] ?? .null) }
        return ChildRow(id: id, version: version, fields: fields, untouched: values, origin: ChildRow.digest(fields))
    }

    /// Whether what is typed into the row can become something.
    func isOpen(_ row: ChildRow) -> Bool { row.isNew ? mayAdd : mayEdit }
}
