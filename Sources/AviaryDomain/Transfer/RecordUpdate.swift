package import Foundation

/// An update that gives properties of many records the same values, as they are written in a file.
package struct RecordUpdate: Sendable {
    package let model: ModelSchema
    /// The new values, by property name.
    package let values: [String: FieldValue]

    /// A reason for which some of the records cannot have the values.
    package struct Problem: Sendable, Hashable, Codable {
        package let message: String
        package internal(set) var count: Int
        /// The id of the first of the records.
        package let first: UUID
    }

    /// The changes of some records.
    package struct Plan: Sendable {
        package fileprivate(set) var changes: [Change] = []
        /// The number of records that have the values already.
        package fileprivate(set) var unchanged = 0
        /// The reasons for which records cannot be changed, in the order of the first record of each.
        package fileprivate(set) var problems: [Problem] = []

        package init() {}
    }

    /// Creates an update.
    ///
    /// - Parameters:
    ///   - constants: The properties with their values as texts. A reference names a record by its title or id.
    ///   - model: The model of the records.
    ///   - schema: The schema of the application.
    ///   - lookUp: The records that references name.
    /// - Throws: ``ImportError`` for a property that does not exist or is named twice, and for a value that does not
    ///   fit; the errors of the look-up.
    package init(
        _ constants: [FieldConstant], of model: ModelSchema, in schema: Schema, lookUp: some RecordLookup
    ) async throws {
        let settings = RecordImport(model: model, schema: schema, constants: constants)
        try settings.checkNames()
        var planner = ImportPlanner(columns: [], import: settings)
        var values: [String: FieldValue] = [:]
        for constant in constants {
            let property = try settings.property(constant.property)
            guard property.type.isStored else {
                throw ImportError.notStored(property: property.name, model: property.type.model ?? model.name)
            }
            guard values[property.name] == nil else { throw ImportError.mappedTwice(property: property.name) }
            switch try await planner.value(in: .cell(constant.value), for: property, lookUp: lookUp) {
            case .success(let value): values[property.name] = value
            case .failure(let problem):
                throw ImportError.unreadableConstant(property: property.name, problem: problem.message)
            }
        }
        self.model = model
        self.values = values
    }

    /// Returns the changes of records.
    ///
    /// Rules apply as in the sheet of a record: to what the update changes, after the hooks of the application.
    package func plan(for records: [Record], lookUp: some RecordLookup) async throws -> Plan {
        var plan = Plan()
        for record in records {
            var changed = values.filter { record.value($0.key, in: model) != $0.value }
            guard !changed.isEmpty else {
                plan.unchanged += 1
                continue
            }
            var problems: [FieldProblem], isSaved = false
            defer { lookUp.endPrepared(isSaved: isSaved) }
            switch try await prepared(record, lookUp: lookUp) {
            case .success(let prepared):
                changed = changed.filter { record.value($0.key, in: model) != (prepared[$0.key] ?? $0.value) }
                guard !changed.isEmpty else {
                    plan.unchanged += 1
                    continue
                }
                problems = model.problems(changing: record, to: prepared)
            case .failure(let problem): problems = [problem]
            }
            for problem in problems {
                let label = problem.property.isEmpty ? "" : problem.property + ": "
                plan.add(Problem(message: label + problem.message, count: 1, first: record.id))
            }
            guard problems.isEmpty else { continue }
            isSaved = true
            plan.changes.append(
                .update(model: model.name, id: record.id, version: record.version, values: changed))
        }
        return plan
    }

    /// Returns the values of a record after the update and the hooks of the application.
    private func prepared(
        _ record: Record, lookUp: some RecordLookup
    ) async throws -> Result<[String: FieldValue], FieldProblem> {
        guard lookUp.preparesRecords(of: model) else { return .success(values) }
        var whole: [String: FieldValue] = [:]
        for property in model.storedProperties { whole[property.name] = record.value(property.name, in: model) }
        whole.merge(values) { _, new in new }
        return try await lookUp.prepared(whole, of: model, id: record.id, version: record.version)
    }

    /// The unique properties, of which only one record can have a value.
    package var uniqueProperties: [String] {
        values.filter { name, value in !value.isNull && model.property(name)?.isUnique == true }.keys.sorted()
    }
}

extension RecordUpdate.Plan {
    /// Adds what is counted for other records.
    ///
    /// - Parameter other: The plan for them, whose changes are left out.
    package mutating func count(_ other: RecordUpdate.Plan) {
        unchanged += other.unchanged
        for problem in other.problems { add(problem) }
    }

    fileprivate mutating func add(_ problem: RecordUpdate.Problem) {
        if let index = problems.firstIndex(where: { $0.message == problem.message }) {
            problems[index].count += problem.count
        } else if problems.count < Self.mostProblems {
            problems.append(problem)
        }
    }

    /// The largest number of different problems. People do not read more.
    private static var mostProblems: Int { 50 }
}
