import AviaryDomain

extension EditorViewModel {
    /// Too few rows or too many, as far as the page knows: the store, which knows, is asked only when nothing else is wrong.
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

    /// How many related records the property asks for.
    func allowedCount(of property: String) -> ModelCount {
        let options = schema.property(property)?.relationship
        return ModelCount(minimum: options?.minimumModelCount ?? 0, maximum: options?.maximumModelCount)
    }
}

extension ModelCount {
    func rowAdvice(brokenBy count: Int) -> String {
        count < minimum
            ? localized("Add or keep \(bound(brokenBy: count)): there would be \(count).")
            : localized("Keep \(bound(brokenBy: count)): there would be \(count).")
    }
}

extension RowList {
    fileprivate var countAfterSave: Int { hiddenCount + entries.count { $0.isNew ? isAdded($0) : !$0.goes } }
    fileprivate var changesCount: Bool { entries.contains { $0.isNew ? isAdded($0) : $0.goes } }

    /// A row that was not filled in is none.
    private func isAdded(_ row: ChildRow) -> Bool { !row.isRemoved && row.isChanged && isOpen(row) }
}
