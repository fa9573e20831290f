import AviaryDomain

/// Records of a model within a row of any statement, of a program that may not declare what they refer to.
struct RecordColumns {
    let model: ModelSchema
    private let columns: [String]

    init(_ model: ModelSchema, _ dialect: any SQLDialect) {
        self.model = model
        columns = ["id", "aviary_version"] + model.storedProperties.map { dialect.name($0.name) }
    }

    func selection(from table: String) -> String {
        columns.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// - Parameter start: Where its columns begin.
    func record(_ row: any Row, from start: Int) throws(RecordDecodingError) -> Record {
        guard let id = row.uuid(start) else { throw RecordDecodingError(model: model.name) }
        return Record(
            id: id, version: row.integer(start + 1), values: row.values((start + 2)..<(start + columns.count)))
    }
}
