import AviaryDomain
import Foundation

/// The columns and joins by which a statement reads the titles of a model's records.
struct TitleColumns: Sendable {
    /// The number of references that a title follows in a row. Titles of models that refer to each other end there,
    /// and a statement never joins more tables than an engine permits.
    private static let deepest = 2

    private let model: ModelSchema
    /// The names of the model's own columns, without its alias.
    let names: [String]
    /// The model's own columns, then those of the titles of referenced records.
    let columns: [String]
    /// The joins of the referenced records, which follow the model's own table in the statement.
    let joins: String
    /// The stored properties that the title needs, in the order of ``names``.
    private let indexes: [Int]
    private let references: [(index: Int, start: Int, title: TitleColumns)]

    /// Creates the columns.
    ///
    /// - Parameters:
    ///   - alias: The alias of the model's table in the statement.
    ///   - depth: The number of references that lead from the records of the statement to the model.
    init(_ model: ModelSchema, as alias: String, in tables: ModelTables, depth: Int = 0) {
        let dialect = tables.dialect
        let indexes = model.title.isComputed ? Array(model.storedProperties.indices) : model.title.parts
        let names = indexes.map { dialect.name(model.storedProperties[$0].name) }
        var columns = names.map { "\(alias).\($0)" }
        var joins = ""
        var references: [(index: Int, start: Int, title: TitleColumns)] = []
        if !model.title.isComputed, depth < Self.deepest {
            for (number, index) in indexes.enumerated() {
                guard case .toOne(let target) = model.storedProperties[index].type, let other = tables[target] else {
                    continue
                }
                let inner = "\(alias)_\(number)"
                let title = TitleColumns(other.model, as: inner, in: tables, depth: depth + 1)
                references.append((index, columns.count, title))
                columns += title.columns
                joins += " LEFT JOIN \(other.name) AS \(inner) ON \(inner).id = \(alias).\(names[number])"
                joins += title.joins
            }
        }
        self.model = model
        self.indexes = indexes
        self.names = names
        self.columns = columns
        self.joins = joins
        self.references = references
    }

    /// Returns the title of the record in a row; nil when it has none.
    ///
    /// - Parameter start: The index of the first of ``columns``.
    func title(_ row: any Row, from start: Int) -> String? {
        // The usual title needs no record.
        if model.titleText != nil { return row.text(start).flatMap { $0.isBlank ? nil : $0 } }
        var values = [FieldValue](repeating: .null, count: model.storedProperties.count)
        for (offset, index) in indexes.enumerated() { values[index] = row.value(start + offset) }
        var titles: [String?] = references.isEmpty ? [] : Array(repeating: nil, count: values.count)
        for reference in references {
            titles[reference.index] = reference.title.title(row, from: start + reference.start)
        }
        // A closure of the application may decode the record, and no title is made of the id.
        return Record(id: UUID(), version: 0, values: values, referenceTitles: titles).shownTitle(in: model)
    }
}

extension TitleColumns {
    /// Returns the record in a row that has its id and then the columns of its title.
    ///
    /// - Parameter start: The index of the id.
    func choice(_ row: any Row, from start: Int = 0) throws(RecordDecodingError) -> RecordChoice {
        guard let id = row.uuid(start) else { throw RecordDecodingError(model: model.name) }
        return RecordChoice(id: id, title: title(row, from: start + 1) ?? id.canonicalText)
    }
}
