/// Turns a CSV file into new records of a model.
///
/// ```swift
/// let penguins = CSVImport(
///     model: Animal.schema, schema: schema,
///     mapping: [try FieldMapping(parsing: "name=Individual ID"), try FieldMapping(parsing: "category=Species")],
///     createRelated: true
/// )
/// let plan = try await penguins.plan(bytes, lookUp: store)
/// ```
package struct CSVImport: Sendable {
    let model: ModelSchema
    let schema: Schema
    let mapping: [FieldMapping]
    let nullMarkers: Set<String>
    let createRelated: Bool

    /// - Parameters:
    ///   - mapping: Empty: every column that is named like a property (or its label, in any case) fills it, and one that is
    ///     named `id` gives the records their ids.
    ///   - nullMarkers: Texts that stand for no value, as an empty cell does, such as `NA`.
    ///   - createRelated: Whether a record that a reference names by its title, and that does not exist, is made.
    package init(
        model: ModelSchema, schema: Schema, mapping: [FieldMapping] = [], nullMarkers: Set<String> = [],
        createRelated: Bool = false
    ) {
        self.model = model
        self.schema = schema
        self.mapping = mapping
        self.nullMarkers = nullMarkers
        self.createRelated = createRelated
    }

    /// What importing the file would store. Nothing is planned unless every line is good.
    ///
    /// - Throws: ``CSVImportError``, or what `lookUp` throws.
    package func plan(_ bytes: [UInt8], lookUp: some RecordLookUp) async throws -> CSVImportPlan {
        var reader = CSVReader(bytes)
        let header = try header(from: &reader)
        let columns = try columns(named: header)
        let ids = try idColumn(named: header).map { IDColumn(index: $0, model: model, file: bytes) }
        var planner = CSVImportPlanner(columns: columns, ids: ids, import: self)
        while let result = reader.nextResult() {
            switch result {
            case .success(let record): try await planner.add(record, lookUp: lookUp)
            case .failure(let error): planner.problems.add(error.message, on: error.line)
            }
        }
        return try planner.plan()
    }

    private func header(from reader: inout CSVReader) throws(CSVImportError) -> [String] {
        switch reader.nextResult() {
        case .success(let header): return header.fields
        case .failure(let error): throw .lines([LineProblem(line: error.line, message: error.message)], more: 0)
        case nil: throw .emptyFile
        }
    }
}

extension CSVReader {
    /// The next record or what is wrong with it, so that a caller can go on and collect every error.
    mutating func nextResult() -> Result<CSVRecord, CSVError>? {
        do throws(CSVError) {
            return try next().map { .success($0) }
        } catch {
            return .failure(error)
        }
    }
}
