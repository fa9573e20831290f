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
    var untouched: [String: FieldValue]
    /// Of the texts that the row had before anybody typed. What has it still was not changed, whatever is stored by then.
    var origin: String
    /// As the box says that is ticked.
    package internal(set) var isRemoved = false
    /// Whether somebody has to say that it goes all the same: others changed it.
    package internal(set) var asksRemoval = false
    /// The version that is stored; nil for a new row, and for one that is gone.
    var storedVersion: Int64?
    /// The version beside which the row stands, where that is newer than the one that the editor saw.
    package internal(set) var against: Int64?
    /// What others changed meanwhile, beside what was typed.
    package internal(set) var merge = FieldMerge.none
    /// Whether it was oneself who changed the row last, on another page.
    var isOwnChange = false
    /// What the form's page asked about, and what was chosen.
    var compared: [String] = []
    var decisions: [String: FieldComparison.Side] = [:]

    package var isNew: Bool { version == nil }
    /// Whether it was stored once and is not any more.
    var isGone: Bool { version != nil && storedVersion == nil }
    package var isChanged: Bool { origin != ChildRow.digest(fields) }

    /// Stands among what is asked for the removal as a whole. A dot is in the name of no property.
    static let removal = ".remove"

    /// Whether Save takes it away.
    var goes: Bool { isRemoved && decisions[Self.removal] != .theirs }

    /// The fields of which nobody has said which text stays; of a row that goes, whether it does.
    var undecided: [String] {
        against == nil ? [] : compared.filter { decisions[$0] == nil && ($0 == Self.removal) == goes }
    }

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
    /// The fields that may be seen, from left to right.
    let properties: [PropertySchema]
    private let fixed: Set<String>

    package var schema: ModelSchema { rows.schema }

    /// - Parameter isReadOnly: Whether the record that the rows are of is only looked at.
    init(_ rows: ChildRows, for principal: Principal, isReadOnly: Bool) {
        let model = rows.schema
        self.rows = rows
        // What leads to a model that may not be viewed keeps its place, and says so.
        properties = rows.fields.compactMap(model.property).filter {
            $0.type.model != nil || principal.maySee($0.name, of: model)
        }.filter { !principal.role.hides($0.name, of: model.name) }
        fixed = principal.fixedProperties(of: model)
        // A new row, and one that is changed, names the record that it belongs to.
        mayAdd = !isReadOnly && principal.may(.add, model.name) && !fixed.contains(rows.reference)
        mayEdit = !isReadOnly && principal.may(.edit, model.name)
        mayDelete = !isReadOnly && principal.may(.delete, model.name)
    }

    /// Whether what is typed for the property is taken.
    func maySet(_ property: PropertySchema) -> Bool { !fixed.contains(property.name) }
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
        var row = row(record.id, version: record.version, values)
        row.storedVersion = record.version
        return row
    }

    func texts(of values: [String: FieldValue]) -> [String: String] {
        var texts: [String: String] = [:]
        for property in properties { texts[property.name] = property.controlText(of: values[property.name] ?? .null) }
        return texts
    }

    private func row(_ id: UUID, version: Int64?, _ values: [String: FieldValue]) -> ChildRow {
        let fields = texts(of: values)
        return ChildRow(id: id, version: version, fields: fields, untouched: values, origin: ChildRow.digest(fields))
    }

    /// Whether what is typed into the row can become something.
    func isOpen(_ row: ChildRow) -> Bool { row.isNew ? mayAdd : mayEdit }

    /// Whether the row may go from the sheet: nothing is deleted of one that is not stored.
    func mayRemove(_ row: ChildRow) -> Bool { mayDelete || row.isNew || row.isGone }
}

/// The names of the fields of a sheet's rows.
package struct RowNames: Sendable {
    let property: String

    package init(_ property: String) {
        self.property = property
    }

    /// Hidden, one of each row: its id, and its version where it has one.
    package var list: String { property + ".rows" }
    package func field(_ name: String, of row: UUID) -> String { entry(row) + "." + name }
    package func removal(of row: UUID) -> String { entry(row) + "..remove" }
    func origin(of row: UUID) -> String { entry(row) + "..origin" }
    /// The version beside which the row stands, and the properties of which its page asks which text to keep.
    func against(of row: UUID) -> String { entry(row) + "..against" }
    func compared(of row: UUID) -> String { entry(row) + "..compared" }
    /// Which text of the property to keep.
    package func kept(_ name: String, of row: UUID) -> String { entry(row) + "..keep." + name }
    /// Of a row as a whole.
    package func entry(_ row: UUID) -> String { property + "." + row.canonicalText }
}

/// A row as a form or a draft names it.
struct RowKey: Sendable, Hashable {
    let id: UUID
    let version: Int64?

    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard let id = parts.first.flatMap({ UUID(canonicalText: String($0)) }), parts.count <= 2 else { return nil }
        self.id = id
        guard parts.count == 2 else {
            version = nil
            return
        }
        guard let version = Int64(parts[1]), version > 0 else { return nil }
        self.version = version
    }

    static func text(_ row: ChildRow) -> String {
        row.id.canonicalText + (row.version.map { " \($0)" } ?? "")
    }
}
