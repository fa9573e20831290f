import AviaryDomain
import Foundation

/// A writer that adds the changes of a change set to the history, in the transaction that makes them.
struct HistoryWriter {
    let connection: any WriterConnection
    let commit: Int64
    let excludedModels: Set<String>
    /// The number of the next change.
    private(set) var nextChange: Int64
    /// The size of the written entries, in bytes.
    private(set) var size = 0
    /// The number of changes that were not recorded, because the history excludes their models.
    private(set) var unrecorded = 0
    /// The names of the models whose records or links changed, also of those that the history excludes.
    private(set) var models: Set<String> = []
    private var json = JSONWriter()

    init(connection: any WriterConnection, commit: Int64, nextChange: Int64, excludedModels: Set<String>) {
        self.connection = connection
        self.commit = commit
        self.nextChange = nextChange
        self.excludedModels = excludedModels
    }

    func keeps(_ table: ModelTable) -> Bool {
        excludedModels.isEmpty || !excludedModels.contains(table.model.name)
    }

    /// Counts changes of a model that the history excludes.
    mutating func skip(_ count: Int, of table: ModelTable) {
        models.insert(table.model.name)
        unrecorded += count
    }

    /// Adds the insertion of a record.
    ///
    /// - Parameter values: The values in the order of the stored properties.
    mutating func inserted(_ id: String, _ values: [FieldValue], in table: ModelTable) throws(EngineError) {
        try write(.insert, id, values, in: table)
    }

    mutating func deleted(_ id: String, _ values: [FieldValue], in table: ModelTable) throws(EngineError) {
        try write(.delete, id, values, in: table)
    }

    /// Adds an update.
    ///
    /// - Parameter columns: The indexes among the stored properties, each with its values before and after.
    mutating func updated(
        _ id: String, _ columns: [(index: Int, change: FieldChange)], in table: ModelTable
    ) throws(EngineError) {
        guard keeps(table) else { return skip(1, of: table) }
        begin()
        for (position, column) in columns.enumerated() {
            let property = table.model.storedProperties[column.index]
            name(property.name, at: position)
            if property.isSecret {
                json.secret()
                continue
            }
            json.raw("[")
            json.value(column.change.before)
            json.raw(",")
            json.value(column.change.after)
            json.raw("]")
        }
        try end(.update, id, in: table)
    }

    /// Adds a change of a link.
    ///
    /// - Parameter other: The id of the other record of the link.
    mutating func changed(
        _ id: String, _ kind: RecordChange.Kind, property: String, other: String, in table: ModelTable
    ) throws(EngineError) {
        begin()
        name(property, at: 0)
        json.text(other)
        try end(kind, id, in: table)
    }

    private mutating func write(
        _ kind: RecordChange.Kind, _ id: String, _ values: [FieldValue], in table: ModelTable
    ) throws(EngineError) {
        guard keeps(table) else { return skip(1, of: table) }
        begin()
        for (position, (property, value)) in zip(table.model.storedProperties, values).enumerated() {
            name(property.name, at: position)
            if property.isSecret, !value.isNull {
                json.secret()
            } else {
                json.value(value)
            }
        }
        try end(kind, id, in: table)
    }

    private mutating func begin() {
        json.removeAll()
        json.raw("{")
    }

    private mutating func name(_ name: String, at position: Int) {
        if position > 0 { json.raw(",") }
        json.text(name)
        json.raw(":")
    }

    private mutating func end(_ kind: RecordChange.Kind, _ id: String, in table: ModelTable) throws(EngineError) {
        models.insert(table.model.name)
        json.raw("}")
        let fields = String(decoding: json.bytes, as: UTF8.self)
        try ChangeTable.add(
            nextChange, commit: commit, model: table.model.name, record: id, kind: kind, fields: fields, in: connection
        )
        nextChange += 1
        size += ChangeTable.size(fields: fields)
    }
}

extension HistoryWriter {
    /// Adds an entry for each of the link's two records. An undo uses the entry of the source's side.
    mutating func changed(
        _ link: LinkRow, _ kind: RecordChange.Kind, of table: LinkTable, _ tables: ModelTables
    ) throws(EngineError) {
        for (position, end) in tables.ends(of: link, in: table).enumerated() {
            let other = position == 0 ? link.target : link.source
            guard let model = tables[end.side.end.own.model] else { continue }
            if keeps(model) {
                try changed(end.id, kind, property: end.side.end.own.property, other: other, in: model)
            } else {
                skip(position == 0 ? 1 : 0, of: model)
            }
        }
    }
}

/// A link that was added or removed, according to the history.
struct LinkChange {
    let side: LinkSide
    let record: UUID
    let other: UUID
    let isThereAfter: Bool

    /// Creates a change of a link from an entry.
    ///
    /// The result is nil for an entry of no link, for the entry of the other record, which describes the same link,
    /// and for an entry of a property that the model no longer has.
    init?(_ change: RecordChange, tables: ModelTables) {
        guard change.kind.isOfLink, let (property, field) = change.fields.first,
            let side = tables.linkSide(property, of: change.model), !side.end.isInverse,
            case .text(let text) = change.kind == .link ? field.after : field.before,
            let other = UUID(canonicalText: text),
            side.link(change.record.canonicalText, text).source == change.record.canonicalText
        else { return nil }
        self.side = side
        record = change.record
        self.other = other
        isThereAfter = change.kind == .link
    }

    var link: LinkRow { side.link(record.canonicalText, other.canonicalText) }

    var inverse: PreparedChange {
        isThereAfter ? .unlink(side, id: record, target: other) : .link(side, id: record, target: other)
    }
}
