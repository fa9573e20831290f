/// The beginning of a file as it would be imported, with its problems.
package struct ImportPreview: Sendable {
    package let columns: [String]
    /// The first records, as the file has them.
    package let rows: [ImportRecord]
    package let problems: [LineProblem]
    /// Problems beside those.
    package let moreProblems: Int
    /// So many of the lines that were looked at have a problem.
    package let wrongLines: Int
    package let lines: Int
    /// The error that prevents the import of the whole file; nil when there is none.
    package let error: ImportError?
    /// The counts of the lines that were read.
    package let report: ImportReport
    /// A Boolean value that indicates whether all lines of the file were read.
    package let isWhole: Bool
}

extension RecordImport {
    /// Looks at the beginning of a file and stores nothing.
    ///
    /// - Parameters:
    ///   - lines: How many records are looked at.
    ///   - shown: How many of them are in the answer.
    /// - Throws: ``ImportError`` where the file has no columns; what the file and `lookUp` throw.
    package func preview(
        _ source: some ImportSource, lookUp: some RecordLookUp, lines: Int, shown: Int
    ) async throws -> ImportPreview {
        let columns = try source.columns()
        var rows: [ImportRecord] = []
        var reader = try source.records()
        var planner: ImportPlanner?
        var mappingError: ImportError?
        do {
            planner = try self.planner(for: source)
        } catch let error as ImportError {
            mappingError = error
        }
        var count = 0
        var isWhole = false
        while count < lines {
            guard let result = try reader.next() else {
                isWhole = true
                break
            }
            count += 1
            switch result {
            case .success(let record):
                if rows.count < shown { rows.append(record) }
                try await planner?.add(record, lookUp: lookUp)
            case .failure(let problem):
                planner?.problems.add(problem.message, on: problem.line)
            }
            planner?.forget()
        }
        // What only the end shows is known only there.
        if isWhole { planner?.noteCounts() }
        let problems = planner?.problems ?? LineProblems()
        return ImportPreview(
            columns: columns, rows: rows, problems: problems.sorted,
            moreProblems: problems.count - problems.first.count,
            wrongLines: problems.lineCount, lines: count, error: mappingError,
            report: planner?.report ?? ImportReport(), isWhole: isWhole
        )
    }

    /// Returns for each column the property that its name suggests, or `id`; nil for a column to leave out.
    package func suggestion(for columns: [String]) -> [String?] {
        let matching = matchingColumns(named: columns)
        var taken: Set<String> = []
        return columns.enumerated().map { index, name in
            if name == Self.idName { return taken.insert(name).inserted ? name : nil }
            guard let property = matching.first(where: { $0.index == index })?.property.name else { return nil }
            return taken.insert(property).inserted ? property : nil
        }
    }

    /// The properties that a file may fill.
    package static func fillable(of model: ModelSchema, in schema: Schema) -> [PropertySchema] {
        RecordImport(model: model, schema: schema).fillable
    }
}
