package import AviaryDomain
import Foundation

extension EditorViewModel {
    /// The largest number of rows read from a form. It is more than a page can produce, but another program may
    /// submit any number.
    private static let mostEntries = 2 * ChildRowList.mostRows

    /// Reads the rows of the sheet and applies the changes of a form or a draft to them.
    ///
    /// - Parameter sources: The repositories of the rows, by to-many property. Rows that the user is not allowed to
    ///   view are omitted.
    /// - Throws: The errors of the repositories.
    package mutating func readRows(
        _ sources: [String: any RecordRepository], form: [FormField] = [], draft: Draft? = nil
    ) async throws {
        rowSources = sources
        for rows in sheet.rows {
            guard let source = sources[rows.property], principal.may(.view, rows.schema.name) else { continue }
            let isFixed = isReadOnly || !sheet.isEditable(rows.property)
            var list = ChildRowList(rows, for: principal, isReadOnly: isFixed)
            try await readStored(&list, source)
            let names = RowNames(rows.property)
            let typed = form.isEmpty ? draft?.fields ?? [] : form
            let keys = typed.values(names.list).prefix(Self.mostEntries).compactMap { RowKey($0) }
            let stored = list.entries
            let others = try await records(
                keys.filter { key in key.version != nil && !stored.contains { $0.id == key.id } }, source)
            if !form.isEmpty, !form.values(names.list).isEmpty {
                // The form's own rows are used whatever is stored by then, so that resubmitting it produces the
                // same change set.
                list.entries = keys.compactMap { entry($0, stored, others, list) }
            } else {
                list.entries += keys.filter { key in !stored.contains { $0.id == key.id } }.compactMap {
                    entry($0, [], others, list)
                }
            }
            for index in list.entries.indices {
                guard let key = keys.first(where: { $0.id == list.entries[index].id }) else { continue }
                overlay(&list.entries[index], key, typed, of: list)
            }
            rowLists[rows.property] = list
        }
    }

    private func readStored(_ list: inout ChildRowList, _ source: any RecordRepository) async throws {
        guard !isNew else { return }
        let isOwn = QueryExpression.equal(.property(list.rows.reference), .constant(record.fieldValue))
        list.entries = try await source.fetch(RecordQuery(condition: isOwn, limit: ChildRowList.mostRows)).map(list.row)
        guard list.entries.count == ChildRowList.mostRows else { return }
        let all = try await repository.related(to: [record], by: list.rows.property, limit: 0)[record]
        list.hiddenCount = max(0, (all?.count ?? 0) - list.entries.count)
    }

    /// Returns the existing records of the keys, by identifier.
    private func records(_ keys: [RowKey], _ source: any RecordRepository) async throws -> [UUID: Record] {
        guard !keys.isEmpty else { return [:] }
        let found = try await source.fetch(
            RecordQuery(condition: .isMember(.id, of: keys.map(\.id.fieldValue)), limit: keys.count))
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the row of the key: the stored row, or else a new one with the same identifier.
    ///
    /// Returns nil for a record that belongs to another owner than the sheet's record, whatever the form contains.
    private func entry(_ key: RowKey, _ known: [ChildRow], _ others: [UUID: Record], _ list: ChildRowList) -> ChildRow?
    {
        if let row = known.first(where: { $0.id == key.id }) { return row }
        guard key.version != nil else { return list.blank(key.id) }
        // The store reports a deleted row: the form may be a resubmission of the one that removed it.
        guard let stored = others[key.id] else { return list.blank(key.id) }
        let isOwn = stored.value(list.rows.reference, in: list.schema) == .text(record.canonicalText)
        return isOwn ? list.row(stored) : nil
    }

    private func overlay(_ row: inout ChildRow, _ key: RowKey, _ form: [FormField], of list: ChildRowList) {
        let names = RowNames(list.rows.property)
        row.version = key.version
        row.isRemoved = list.mayRemove(row) && form.value(names.removal(of: row.id)) == "true"
        overlayDecisions(&row, form, of: list)
        // A user who is not allowed to add the row still sees the typed text again.
        guard list.isOpen(row) || row.isNew else { return }
        for property in list.properties where list.maySet(property) {
            if let text = form.value(names.field(property.name, of: row.id)) {
                row.fields[property.name] = text.withLineFeeds
            }
        }
        if let origin = form.value(names.origin(of: row.id)) { row.origin = origin }
    }

    /// Reads the choices that the submitted page offered for the row, and the user's answers.
    private func overlayDecisions(_ row: inout ChildRow, _ form: [FormField], of list: ChildRowList) {
        let names = RowNames(list.rows.property)
        guard !row.isNew, let against = form.value(names.against(of: row.id)).flatMap({ Int64($0) }) else { return }
        row.against = against
        let shown = Set(list.properties.filter(list.maySet).map(\.name) + [ChildRow.removal])
        row.compared = (form.value(names.compared(of: row.id)) ?? "").split(separator: " ").map(String.init).filter(
            shown.contains)
        for name in row.compared {
            row.decisions[name] = form.value(names.kept(name, of: row.id)).flatMap(FieldComparison.Side.init(rawValue:))
        }
    }

    /// Adds a row to the property.
    package mutating func addRow(_ property: String) {
        guard var list = rowLists[property], list.mayAdd else { return }
        guard list.hasRoom else {
            addMessage(
                EditorMessage(
                    .warning,
                    localized(
                        "This form has room for \(ChildRowList.mostRows) rows. Save these, then add the others.")
                ))
            return
        }
        let row = list.blank()
        list.entries.append(row)
        rowLists[property] = list
        // Without scripts, the browser loads a new page. The focus moves to the added row.
        focus = list.properties.first(where: list.maySet).map { RowNames(property).field($0.name, of: row.id) }
    }

    /// The fields that a draft contains: the changed rows.
    var rowDraftFields: [FormField] {
        sheet.rows.flatMap { rows -> [FormField] in
            guard let list = rowLists[rows.property] else { return [] }
            let names = RowNames(rows.property)
            return list.entries.filter { $0.isNew || $0.isRemoved || $0.isChanged }.flatMap { row -> [FormField] in
                var fields = [
                    FormField(name: names.list, value: RowKey.text(row)),
                    FormField(name: names.origin(of: row.id), value: row.origin),
                ]
                if row.isRemoved { fields.append(FormField(name: names.removal(of: row.id), value: "true")) }
                return fields
                    + row.fields.sorted { $0.key < $1.key }.map {
                        FormField(name: names.field($0.key, of: row.id), value: $0.value)
                    }
            }
        }
    }

    /// Converts the rows into those of a record that is not stored yet.
    mutating func resetIdentitiesOfRows() {
        for property in rowLists.keys {
            guard let list = rowLists[property] else { continue }
            if !list.mayAdd, list.entries.contains(where: { $0.isChanged && !$0.isRemoved }) {
                let name = list.schema.pluralName
                problems.append(
                    FieldProblem(
                        property: property,
                        message: localized(
                            "You can’t add \(name), so Save skips these rows. Copy what you need.")
                    ))
            }
            // The stored rows were deleted with the record or still belong to it. Typed text continues in new rows.
            rowLists[property]?.entries = list.entries.filter { ($0.isNew || $0.isChanged) && !$0.isRemoved }.map {
                row in
                ChildRow(id: .version7(), version: nil, fields: row.fields, untouched: row.untouched, origin: "")
            }
            rowLists[property]?.hiddenCount = 0
        }
    }
}

extension EditorViewModel {
    /// The lists with too few or too many rows, as far as the page knows. The store knows exactly, but it is asked
    /// only if there is no other problem.
    var rowCountProblems: [FieldProblem] {
        sheet.rows.compactMap { rows in
            guard let list = rowLists[rows.property], isNew || list.changesCount,
                !problems.contains(where: { $0.property == rows.property })
            else { return nil }
            let allowed = allowedCount(of: rows.property), count = list.countAfterSave
            return allowed.contains(count)
                ? nil : FieldProblem(property: rows.property, message: allowed.rowAdvice(brokenBy: count))
        }
    }

    /// Returns the allowed number of related records of the property.
    func allowedCount(of property: String) -> ModelCount {
        let options = schema.property(property)?.relationship
        return ModelCount(minimum: options?.minimumModelCount ?? 0, maximum: options?.maximumModelCount)
    }
}

extension ModelCount {
    func rowAdvice(brokenBy count: Int) -> String {
        // There are no rows, which is visible without a number.
        guard count > 0 else { return localized("Add or keep at least \(minimum).") }
        return count < minimum
            ? localized("Add or keep \(bound(brokenBy: count)) (would be \(count)).")
            : localized("Keep \(bound(brokenBy: count)) (would be \(count)).")
    }
}

extension ChildRowList {
    fileprivate var countAfterSave: Int { hiddenCount + entries.count { $0.isNew ? isAdded($0) : !$0.willBeDeleted } }
    fileprivate var changesCount: Bool { entries.contains { $0.isNew ? isAdded($0) : $0.willBeDeleted } }

    /// Indicates whether Save adds the row. An empty new row is ignored.
    private func isAdded(_ row: ChildRow) -> Bool { !row.isRemoved && row.isChanged && isOpen(row) }
}
