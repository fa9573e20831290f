import Foundation

/// The records that an import's references point to: found by their titles, or made. Each is looked up once.
struct RelatedRecords {
    private struct Key: Hashable {
        let model: String
        let title: FieldValue
    }

    private let schema: Schema
    private let imported: ModelSchema
    private let createsMissing: Bool
    /// The records that were made, in the order in which the file names them.
    private(set) var created: [Change] = []
    private var known: [Key: Result<FieldValue, FieldProblem>] = [:]

    init(for settings: CSVImport) {
        schema = settings.schema
        imported = settings.model
        createsMissing = settings.createRelated
    }

    mutating func reference(
        to target: String, titled text: String, for property: PropertySchema, lookUp: CSVImport.LookUp
    ) async throws -> Result<FieldValue, FieldProblem> {
        let key = Key(model: target, title: .text(text))
        if let result = known[key] { return result }
        guard let model = schema.model(target), let title = model.titleProperty else {
            throw CSVImportError.noTitle(property: property.name, model: target)
        }
        let result: Result<FieldValue, FieldProblem>
        if let id = try await lookUp(model, title, key.title) {
            result = .success(id.fieldValue)
        } else if !createsMissing {
            result = problem("There is no \(model.singularName) with this \(title.label.lowercased()).", with: property)
        } else if target == imported.name {
            // The record may be on another line of the same file: making one here would make it twice.
            result = problem(
                "The \(model.singularName) is not stored yet. Import those that others refer to first, in a file of their own.",
                with: property
            )
        } else {
            result = create(model, titled: key.title, by: title)
        }
        known[key] = result
        return result
    }

    private mutating func create(
        _ model: ModelSchema, titled text: FieldValue, by title: PropertySchema
    ) -> Result<FieldValue, FieldProblem> {
        if let missing = model.storedProperties.first(where: { $0.name != title.name && $0.isMissingWithoutColumn }) {
            return problem(
                "The \(model.singularName) does not exist, and none can be made: "
                    + "it also needs \(Words.withArticle(missing.label.lowercased())).",
                with: missing
            )
        }
        var values = Dictionary(
            model.storedProperties.map { ($0.name, $0.defaultValue) }, uniquingKeysWith: { first, _ in first }
        )
        values[title.name] = text
        let id = UUID.version7()
        if let problem = model.problems(in: values, of: id).first { return .failure(problem) }
        created.append(.insert(model: model.name, id: id, values: values))
        return .success(id.fieldValue)
    }

    private func problem(_ message: String, with property: PropertySchema) -> Result<FieldValue, FieldProblem> {
        .failure(FieldProblem(property: property.name, message: message))
    }
}
