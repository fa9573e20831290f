import Foundation

/// The column of a file that gives its records their ids, so that what was exported is the same record again.
struct IDColumn {
    private let index: Int
    /// The ids of all lines, where records of the model may refer to each other, also to a later line.
    let all: Set<UUID>

    init(index: Int, model: ModelSchema, source: some ImportSource) throws {
        self.index = index
        guard model.properties.contains(where: { $0.type.model == model.name }) else {
            all = []
            return
        }
        var ids: Set<UUID> = []
        var reader = try source.records()
        // What is wrong is told when the line is read again.
        while let result = try reader.next() {
            if case .success(let record) = result, case .success(let id?) = Self.id(in: record, at: index) {
                ids.insert(id)
            }
        }
        all = ids
    }

    /// Returns the id in a record's cell; nil for an empty cell.
    func id(of record: ImportRecord) -> Result<UUID?, FieldProblem> {
        Self.id(in: record, at: index)
    }

    private static func id(in record: ImportRecord, at index: Int) -> Result<UUID?, FieldProblem> {
        guard record.cells.indices.contains(index) else { return .success(nil) }
        let text = record.cells[index].shown.trimmingCharacters(in: .whitespaces).lowercased()
        if text.isEmpty { return .success(nil) }
        guard let id = UUID(canonicalText: text) else {
            return .failure(
                FieldProblem(
                    property: "id",
                    message: localized(
                        "This is no id, such as 017f22e2-79b0-7cc3-98c4-dc0c0c07398f. Rename the column to leave it out."
                    )
                ))
        }
        return .success(id)
    }
}
