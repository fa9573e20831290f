package import Foundation

/// The queries of an import about stored records.
package protocol RecordLookup: Sendable {
    /// Returns the ids of at most two records that have exactly these values, by property name. A second id means that
    /// the record is ambiguous.
    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID]

    /// Returns the ids of the records by their titles, for a model whose title is not one text.
    ///
    /// - Returns: The titles; nil for another model, and for a model with very many records.
    func titles(of model: ModelSchema) async throws -> [String: [UUID]]?

    /// Indicates whether a record with this id exists.
    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool

    /// Returns the stored record; nil when it does not exist.
    func record(_ id: UUID, of model: ModelSchema) async throws -> Record?

    /// Returns the ids of the records that a many-to-many property links with this record.
    func links(of property: String, of model: ModelSchema, id: UUID) async throws -> [UUID]

    /// Returns the number of related records of a to-many property; 0 when the record does not exist.
    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int

    /// Indicates whether ``prepared(_:of:id:version:)`` may change records of the model.
    func preparesRecords(of model: ModelSchema) -> Bool

    /// Returns the values that hooks of the application give a record before its rules are checked.
    ///
    /// Hooks that ask for the records of the same change set see those that were prepared since ``forgetPrepared()``.
    ///
    /// - Parameters:
    ///   - values: The values of all stored properties.
    ///   - id: The id of the record.
    ///   - version: The version of the stored record; nil for a new one.
    /// - Returns: The values, or the problem for which a hook rejects the record.
    func prepared(
        _ values: [String: FieldValue], of model: ModelSchema, id: UUID, version: Int64?
    ) async throws -> Result<[String: FieldValue], FieldProblem>

    /// Ends a line of a file, or a record of an update.
    ///
    /// - Parameter isSaved: Whether its records are to be saved. If not, hooks do not see what was prepared for it.
    func endPrepared(isSaved: Bool)

    /// Forgets the prepared records, because they are stored now, or because a file is read from its beginning.
    func forgetPrepared()
}

// Defaults for a look-up without hooks.
extension RecordLookup {
    package func endPrepared(isSaved: Bool) {}
    package func forgetPrepared() {}
    package func preparesRecords(of model: ModelSchema) -> Bool { false }
    package func prepared(
        _ values: [String: FieldValue], of model: ModelSchema, id: UUID, version: Int64?
    ) async throws -> Result<[String: FieldValue], FieldProblem> { .success(values) }
}

// Defaults for a look-up without existing records to change.
extension RecordLookup {
    package func titles(of model: ModelSchema) async throws -> [String: [UUID]]? { nil }
    package func record(_ id: UUID, of model: ModelSchema) async throws -> Record? { nil }
    package func links(of property: String, of model: ModelSchema, id: UUID) async throws -> [UUID] { [] }
}

/// A look-up for a store that does not exist yet.
package struct NothingStored: RecordLookup {
    package init() {}

    package func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] { [] }
    package func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool { false }
    package func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int { 0 }
}

/// The records that the references of an import point to: found by title or id, or created. Each is looked up once.
struct RelatedRecords {
    private struct Key: Hashable {
        let model: String
        let title: FieldValue
    }

    private let schema: Schema
    private let imported: ModelSchema
    private let createsMissing: Bool
    /// The ids of the records in the file itself.
    private let importedIDs: Set<UUID>
    /// The changes that create records, in the order in which the file names them.
    var created: [Change] = []
    private var known: [Key: Result<FieldValue, FieldProblem>] = [:]
    /// The titles of the models whose title is not one text; nil for other models.
    private var titles: [String: [String: [UUID]]?] = [:]
    /// The records that the current line creates.
    private var createdByLine: [Key] = []

    /// The number of titles that are kept.
    var count: Int { known.count }

    init(for settings: RecordImport, ids: Set<UUID> = []) {
        importedIDs = ids
        schema = settings.schema
        imported = settings.model
        createsMissing = settings.createRelated
    }

    /// Begins a line, which keeps everything that earlier lines created.
    mutating func beginLine() { createdByLine = [] }

    /// Drops the records that the current line created, because the import leaves the line out.
    mutating func revokeLine() {
        created.removeLast(createdByLine.count)
        for key in createdByLine { known[key] = nil }
        createdByLine = []
    }

    mutating func reference(
        to target: String, titled text: String, for property: PropertySchema, lookUp: some RecordLookup
    ) async throws -> Result<FieldValue, FieldProblem> {
        let key = Key(model: target, title: .text(text))
        if let result = known[key] { return result }
        guard let model = schema.model(target) else {
            return problem(localized("This model doesn’t exist."), with: property)
        }
        let before = created.count
        let result = try await found(model, titled: text, for: property, lookUp: lookUp)
        if created.count > before { createdByLine.append(key) }
        known[key] = result
        return result
    }

    private mutating func found(
        _ model: ModelSchema, titled text: String, for property: PropertySchema, lookUp: some RecordLookup
    ) async throws -> Result<FieldValue, FieldProblem> {
        let name = model.singularName
        let titles = try await titles(of: model, lookUp)
        if let named = titles?[text] {
            guard named.count == 1 else {
                return problem(
                    localized(
                        "More than one \(name) has this title. Enter the ID from the record’s address in the admin."),
                    with: property)
            }
            return .success(named[0].fieldValue)
        }
        var ids: [UUID] = []
        if let title = model.titleProperty { ids = try await lookUp.ids(of: model, where: [title.name: .text(text)]) }
        if ids.count > 1, let title = model.titleProperty {
            return problem(
                localized(
                    "More than one \(name) has this \(title.labelInSentence). Enter the ID from the record’s address in the admin, or give each record its own \(title.labelInSentence)."
                ),
                with: property
            )
        }
        if let id = ids.first { return .success(id.fieldValue) }
        let id = UUID(canonicalText: text.trimmed(.whitespaces).lowercased())
        if let id, model.name == imported.name, importedIDs.contains(id) { return .success(id.fieldValue) }
        if let id, try await lookUp.contains(id, of: model) { return .success(id.fieldValue) }
        if titles != nil {
            return problem(
                id == nil ? localized("No \(name) has this title.") : localized("No \(name) has this ID."),
                with: property)
        }
        guard let title = model.titleProperty else {
            return problem(
                localized(
                    "Enter the ID of \(TextFormatter.withArticle(name)). This model has no title to search by."),
                with: property)
        }
        guard createsMissing, id == nil else {
            return problem(
                localized("No \(name) has this \(id == nil ? title.labelInSentence : "ID")."), with: property)
        }
        guard model.name != imported.name else {
            // The record may be on another line of the same file, and creating it here would duplicate it.
            return problem(
                localized(
                    "This \(name) doesn’t exist yet. Import the referenced records first, in a separate file."),
                with: property)
        }
        return try await create(model, titled: .text(text), by: title, lookUp: lookUp)
    }

    /// Returns the titles of the model, which are read once.
    private mutating func titles(
        of model: ModelSchema, _ lookUp: some RecordLookup
    ) async throws -> [String: [UUID]]? {
        if let known = titles[model.name] { return known }
        let found = try await lookUp.titles(of: model)
        titles[model.name] = .some(found)
        return found
    }

    private mutating func create(
        _ model: ModelSchema, titled text: FieldValue, by title: PropertySchema, lookUp: some RecordLookup
    ) async throws -> Result<FieldValue, FieldProblem> {
        if let missing = model.storedProperties.first(where: { $0.name != title.name && $0.isMissingWithoutColumn }) {
            return problem(
                localized(
                    "This \(model.singularName) doesn’t exist and can’t be added, because it also needs \(TextFormatter.withArticle(missing.labelInSentence))."
                ),
                with: missing
            )
        }
        var values = Dictionary(
            model.storedProperties.map { ($0.name, $0.defaultValue) }, uniquingKeysWith: { first, _ in first }
        )
        values[title.name] = text
        let id = UUID.version7()
        switch try await lookUp.prepared(values, of: model, id: id, version: nil) {
        case .success(let prepared):
            if let problem = model.problems(in: prepared, of: id).first { return .failure(problem) }
        case .failure(let problem): return .failure(problem)
        }
        created.append(.insert(model: model.name, id: id, values: values))
        return .success(id.fieldValue)
    }

    private func problem(_ message: String, with property: PropertySchema) -> Result<FieldValue, FieldProblem> {
        .failure(FieldProblem(property: property.name, message: message))
    }
}
