package import AviaryDomain
package import Foundation

/// A record among the rows of a sheet, as typed.
package struct ChildRow: Sendable, Hashable, Identifiable {
    package let id: UUID
    /// The version that the editor loaded; nil for a new row.
    package internal(set) var version: Int64?
    /// The texts by property name.
    package internal(set) var fields: [String: String]
    /// The stored values, or the defaults of a new row. A field that still shows such a value keeps it.
    var untouched: [String: FieldValue]
    /// The digest of the row's texts before the user typed. A row with the same digest is unchanged, whatever is
    /// stored by then.
    var origin: String
    /// Indicates whether the checkbox that removes the row is ticked.
    package internal(set) var isRemoved = false
    /// Indicates whether the user has to confirm the removal, because others changed the row.
    package internal(set) var asksRemoval = false
    /// The stored version; nil for a new row and for one that was deleted.
    var storedVersion: Int64?
    /// The version that the row is compared with, if it is newer than the one that the editor loaded.
    package internal(set) var against: Int64?
    /// The changes that others made, merged with the typed texts.
    package internal(set) var merge = FieldMerge.none
    /// Indicates whether the current user made the last change to the row, on another page.
    var isOwnChange = false
    /// The fields that the submitted page compared.
    var compared: [String] = []
    /// The user's choices between two texts, by property name.
    var decisions: [String: FieldComparison.Side] = [:]

    package var isNew: Bool { version == nil }
    /// Indicates whether the row was stored once and has been deleted.
    var isGone: Bool { version != nil && storedVersion == nil }
    package var isChanged: Bool { origin != ChildRow.digest(fields) }

    /// The name, among the compared fields, of the question about the removal. No property name contains a dot.
    static let removal = ".remove"

    /// Indicates whether Save removes the row.
    var willBeDeleted: Bool { isRemoved && decisions[Self.removal] != .theirs }

    /// The compared fields for which the user has not chosen a text yet; for a row to be removed, the question
    /// about its removal.
    var undecided: [String] {
        against == nil ? [] : compared.filter { decisions[$0] == nil && ($0 == Self.removal) == willBeDeleted }
    }

    /// Returns the value that the text of a field represents. A field that still shows its stored value keeps it.
    func value(of property: PropertySchema) -> Result<FieldValue, FieldProblem> {
        let text = fields[property.name] ?? ""
        if let kept = untouched[property.name], property.controlText(of: kept).hasSameLines(as: text) {
            return .success(kept)
        }
        return property.parse(typed: text)
    }

    /// Indicates whether the user keeps the text of others in a field.
    func keepsTheirs(_ property: PropertySchema) -> Bool { against != nil && decisions[property.name] == .theirs }

    /// Returns a digest of the texts in the order of their names. It does not depend on the encoding of line
    /// breaks.
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

/// The rows of one to-many property, with the operations that the principal is allowed to perform.
package struct ChildRowList: Sendable {
    /// The largest number of rows on a sheet.
    package static let mostRows = 50

    package let rows: ChildRows
    package internal(set) var entries: [ChildRow] = []
    /// The number of stored rows that are not shown. They stay unchanged.
    package internal(set) var hiddenCount = 0
    package let mayAdd: Bool
    package let mayEdit: Bool
    package let mayDelete: Bool
    /// The visible fields, from left to right.
    let properties: [PropertySchema]
    private let fixed: Set<String>

    package var schema: ModelSchema { rows.schema }

    /// Creates the list of a principal's rows.
    ///
    /// - Parameter isReadOnly: Indicates whether the user can only view the record that owns the rows.
    init(_ rows: ChildRows, for principal: Principal, isReadOnly: Bool) {
        let model = rows.schema
        self.rows = rows
        // A reference to a model that the user is not allowed to view keeps its column, which says so.
        properties = rows.fields.compactMap(model.property).filter {
            $0.type.model != nil || principal.maySee($0.name, of: model)
        }.filter { !principal.role.hides($0.name, of: model.name) }
        fixed = principal.fixedProperties(of: model)
        // Adding a row sets the reference to the owning record, so that property must not be fixed.
        mayAdd = !isReadOnly && principal.may(.add, model.name) && !fixed.contains(rows.reference)
        mayEdit = !isReadOnly && principal.may(.edit, model.name)
        mayDelete = !isReadOnly && principal.may(.delete, model.name)
    }

    /// Indicates whether a typed text for the property is accepted.
    func maySet(_ property: PropertySchema) -> Bool { !fixed.contains(property.name) }
    package var hasRoom: Bool { entries.count < Self.mostRows }

    /// Returns a new row with the default values.
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

    /// Returns the stored record of a row; nil for a new row and for one whose record was deleted.
    func stored(_ row: ChildRow) -> Record? {
        guard !row.isNew, !row.isGone, let version = row.storedVersion else { return nil }
        let values = schema.storedProperties.compactMap { row.untouched[$0.name] }
        guard values.count == schema.storedProperties.count else { return nil }
        return Record(id: row.id, version: version, values: values)
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

    /// Indicates whether text that is typed into the row can be saved.
    func isOpen(_ row: ChildRow) -> Bool { row.isNew ? mayAdd : mayEdit }

    /// Indicates whether the row can be removed from the sheet. Removing a row that is not stored deletes nothing.
    func mayRemove(_ row: ChildRow) -> Bool { mayDelete || row.isNew || row.isGone }
}

/// The names of the form fields of a sheet's rows.
package struct RowNames: Sendable {
    let property: String

    package init(_ property: String) {
        self.property = property
    }

    /// The name of the hidden field that each row has: the row's identifier, and its version if it is stored.
    package var list: String { property + ".rows" }
    package func field(_ name: String, of row: UUID) -> String { entry(row) + "." + name }
    package func removal(of row: UUID) -> String { entry(row) + "..remove" }
    func origin(of row: UUID) -> String { entry(row) + "..origin" }
    /// Returns the name of the field with the version that the row is compared with.
    func against(of row: UUID) -> String { entry(row) + "..against" }
    /// Returns the name of the field with the properties for which the page asks which text to keep.
    func compared(of row: UUID) -> String { entry(row) + "..compared" }
    /// Returns the name of the field that contains the text to keep for the property.
    package func kept(_ name: String, of row: UUID) -> String { entry(row) + "..keep." + name }
    /// Returns the name of the row as a whole.
    package func entry(_ row: UUID) -> String { property + "." + row.canonicalText }
}

/// The identifier and version of a row in a form or a draft.
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
