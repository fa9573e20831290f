import AviaryDomain
import Foundation

extension EditorViewModel {
    /// Returns the changes to the rows that are stored together with the record. Invalid texts are added to
    /// `problems`.
    ///
    /// The changes depend only on the form, so that resubmitting it produces the same change set.
    mutating func changesOfRows() -> [Change] {
        var changes: [Change] = []
        for rows in sheet.rows {
            guard let list = rowLists[rows.property] else { continue }
            for row in list.entries {
                if let change = change(of: row, in: list) { changes.append(change) }
            }
        }
        return changes
    }

    private mutating func change(of row: ChildRow, in list: ChildRowList) -> Change? {
        let model = list.schema.name
        let names = RowNames(list.rows.property)
        if row.willBeDeleted {
            guard list.mayDelete else { return nil }
            if !row.undecided.isEmpty {
                problems.append(
                    FieldProblem(
                        property: names.entry(row.id), message: localized("Choose whether to remove the row.")))
            }
            return row.version.map { .delete(model: model, id: row.id, version: row.against ?? $0) }
        }
        guard row.isChanged, list.isOpen(row) else { return nil }
        let reference = [list.rows.reference: record.fieldValue]
        var values = row.isNew ? reference : [:]
        var found: [FieldProblem] = []
        for property in list.properties where list.maySet(property) {
            // Fields that keep the text of others are omitted, so that resubmitting the form produces the same
            // change set whatever is stored by then.
            if row.keepsTheirs(property) { continue }
            switch row.value(of: property) {
            case .success(let value): values[property.name] = value
            case .failure(let problem): found.append(problem)
            }
        }
        if rowSources[list.rows.property]?.preparesRecords == true {
            // The repository checks the rules after the hooks of the application.
            found += list.schema.validationProblems(in: values)
        } else if let stored = list.stored(row) {
            found += list.schema.problems(changing: stored, to: values, isComplete: found.isEmpty)
        } else {
            // If the record was deleted, only its reference to the owning record is known.
            let unreadable = Set(found.map(\.property))
            let whole = row.untouched.merging(reference) { _, own in own }.merging(values) { _, typed in typed }
            found += list.schema.problems(in: whole.filter { !unreadable.contains($0.key) }, of: row.id)
        }
        found += row.undecided.map { FieldProblem(property: $0, message: localized("Choose which version to keep.")) }
        problems += found.map { problem in
            let field =
                list.rows.fields.contains(problem.property)
                ? names.field(problem.property, of: row.id) : names.entry(row.id)
            return FieldProblem(property: field, message: problem.message)
        }
        return row.version.map { .update(model: model, id: row.id, version: row.against ?? $0, values: values) }
            ?? .insert(model: model, id: row.id, values: values)
    }

    /// Turns an error of the store into problems of the rows. Returns nil if the error does not concern a row.
    mutating func explainRows(_ error: StoreError, _ history: (any HistoryRepository)?, at now: Date) async
        -> SaveOutcome?
    {
        switch error.reason {
        case .conflict(let model, let current):
            guard let (property, index) = place(of: current.id, in: model),
                let stored = rowLists[property]?.row(current)
            else { return nil }
            rowLists[property]?.entries[index].untouched = stored.untouched
            rowLists[property]?.entries[index].storedVersion = stored.version
            await addChangeMessages(history, at: now)
            return .conflict
        case .notFound(let model, let id):
            guard let (property, index) = place(of: id, in: model) else { return nil }
            rowLists[property]?.entries[index].storedVersion = nil
            await addChangeMessages(history, at: now)
            return .conflict
        case .notUnique(let model, let value):
            guard let (property, list) = rowList(of: model) else { return nil }
            return await explainDuplicate([value], list, property)
        case .notUniqueTogether(let model, let values):
            guard let (property, list) = rowList(of: model) else { return nil }
            return await explainDuplicate(values, list, property)
        case .missingReference(let model, let value):
            guard let (property, list) = rowList(of: model) else { return nil }
            let noun = list.schema.property(value)?.noun ?? value
            return addProblem(
                list, property, localized("This \(noun) no longer exists. Choose another one."), field: value)
        case .invalid(let model, let found):
            guard let (property, list) = rowList(of: model), let problem = found.first else { return nil }
            return addProblem(list, property, problem.message, field: problem.property)
        case .needsConfirmation(let plan):
            guard let property = rowLists.first(where: { $0.value.entries.contains(where: \.isRemoved) })?.key else {
                return nil
            }
            let count = plan.cascadeCount
            problems = [
                FieldProblem(
                    property: property,
                    message: localized(
                        count,
                        one:
                            "Removing this would also delete 1 other record. Delete it from its own list instead.",
                        other:
                            "Removing this would also delete \(count) other records. Delete it from its own list instead."
                    ))
            ]
            return .invalid
        case .deleteDenied(let model, _, _):
            guard let (property, _) = rowList(of: model) else { return nil }
            problems = [
                FieldProblem(
                    property: property,
                    message: localized(
                        "Other records still need a row that you remove. Keep the row, or change those records first."))
            ]
            return .invalid
        default: return nil
        }
    }

    private mutating func explainDuplicate(_ group: [String], _ list: ChildRowList, _ property: String) async
        -> SaveOutcome
    {
        let found = await duplicates(of: group, in: list, includingRows: true)
        guard found.isEmpty else {
            problems = found
            return .invalid
        }
        return addProblem(
            list, property, list.duplicateMessage(group), field: group.count == 1 ? group.first : nil)
    }

    /// Adds a problem to the only changed row, or to the whole list if several rows changed and the store does not
    /// say which one failed.
    private mutating func addProblem(_ list: ChildRowList, _ property: String, _ sentence: String, field: String? = nil)
        -> SaveOutcome
    {
        let names = RowNames(property)
        let changed = list.entries.filter { $0.isChanged && !$0.isRemoved }
        guard changed.count == 1, let row = changed.first else {
            problems = [FieldProblem(property: property, message: sentence)]
            return .invalid
        }
        let isField = field.map { list.rows.fields.contains($0) } ?? false
        problems = [
            FieldProblem(
                property: isField ? names.field(field ?? "", of: row.id) : names.entry(row.id), message: sentence)
        ]
        return .invalid
    }

    private func place(of id: UUID, in model: String) -> (property: String, index: Int)? {
        for (property, list) in rowLists where list.schema.name == model {
            if let index = list.entries.firstIndex(where: { $0.id == id }) { return (property, index) }
        }
        return nil
    }

    /// Returns the list of the model, or nil if the error can also concern the record itself.
    private func rowList(of model: String) -> (String, ChildRowList)? {
        guard model != schema.name else { return nil }
        return rowLists.first { $0.value.schema.name == model }.map { ($0.key, $0.value) }
    }
}

extension EditorViewModel {
    /// Returns a problem for each changed row that repeats the unique values of another row or of another record.
    func rowDuplicates() async -> [FieldProblem] {
        var found: [FieldProblem] = []
        for list in sheet.rows.compactMap({ rowLists[$0.property] }) {
            for group in list.schema.uniqueConstraints { found += await duplicates(of: group, in: list) }
        }
        return found
    }

    /// Returns a problem for each changed row that repeats the values of another row or record in unique properties.
    ///
    /// - Parameter includingRows: Indicates whether values count that other rows have until they are saved. The store
    ///   rejects some changes for these, depending on their order.
    func duplicates(
        of group: [String], in list: ChildRowList, includingRows: Bool = false
    ) async -> [FieldProblem] {
        let names = RowNames(list.rows.property)
        let rows = list.entries.filter { !$0.willBeDeleted && ($0.isChanged || !$0.isNew) }
        let kept = rows.filter { !list.isSaved($0) }
        var taken = Set(kept.compactMap { uniqueValues($0, group, list) })
        var found: [FieldProblem] = []
        for row in rows where list.isSaved(row) {
            guard let values = uniqueValues(row, group, list) else { continue }
            var isTaken = !taken.insert(values).inserted
            if !isTaken {
                // Without an answer, the store reports the problem at the next attempt.
                let ids = (try? await rowSources[list.rows.property]?.ids(where: values, limit: 2)) ?? []
                isTaken = ids.contains { id in
                    id != row.id && (includingRows || !list.entries.contains { $0.id == id })
                }
            }
            let fields = group.filter(list.shows).map { names.field($0, of: row.id) }
            guard isTaken, !problems.contains(where: { fields.contains($0.property) }) else { continue }
            found.append(
                FieldProblem(property: fields.first ?? names.entry(row.id), message: list.duplicateMessage(group)))
        }
        return found
    }

    /// Returns the values that a row has in unique properties once it is saved; nil if one of them is empty, unreadable
    /// or secret.
    private func uniqueValues(_ row: ChildRow, _ group: [String], _ list: ChildRowList) -> [String: FieldValue]? {
        var values: [String: FieldValue] = [:]
        for property in group.compactMap(list.schema.property) where !property.isSecret {
            let isTyped =
                list.isSaved(row) && list.shows(property.name) && list.maySet(property) && !row.keepsTheirs(property)
            let value =
                if property.name == list.rows.reference {
                    record.fieldValue
                } else if !isTyped {
                    row.untouched[property.name] ?? .null
                } else if case .success(let typed) = row.value(of: property) {
                    typed
                } else {
                    FieldValue.null
                }
            if !value.isNull { values[property.name] = value }
        }
        return values.count == group.count ? values : nil
    }
}

extension ChildRowList {
    /// Indicates whether Save stores the texts of a row.
    fileprivate func isSaved(_ row: ChildRow) -> Bool { row.isChanged && isOpen(row) }

    fileprivate func shows(_ property: String) -> Bool { properties.contains { $0.name == property } }

    /// Returns the message about a row whose values in unique properties another record has.
    func duplicateMessage(_ group: [String]) -> String {
        // All rows refer to the record of the sheet.
        let labels = group.filter { $0 != rows.reference || group.count == 1 }.map {
            schema.property($0)?.labelInSentence ?? $0
        }
        let name = schema.singularName
        return group.count == 1
            ? localized("Another \(name) already has this \(labels[0]). Choose a different one.")
            : localized("Another \(name) already has the same \(TextFormatter.list(labels)). Change one of them.")
    }
}
