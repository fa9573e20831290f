import AviaryDomain
import Foundation

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
