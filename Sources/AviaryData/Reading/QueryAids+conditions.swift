import AviaryDomain

extension QueryAids {
    /// Whether the file has an index that finds the records for which the condition holds, without looking at others.
    func finds(_ condition: QueryExpression, of table: ModelTable) -> Bool {
        switch condition {
        case .isMember(.property(let name), _), .equal(.property(let name), .constant),
            .ordered(_, .property(let name), .constant):
            return isSorted(name, of: table) || table.references.contains { $0.property == name }
        case .startsIgnoringCase(let name, _): return isSorted(name, of: table)
        case .contains(.folded(.property(let name)), .constant(.text(let part))):
            return searchColumns.contains(SearchColumn(model: table.model.name, property: name))
                && part.unicodeScalars.count >= table.dialect.leastIndexedPart
        case .related: return true
        case .and: return condition.conjuncts.contains { finds($0, of: table) }
        case .or: return condition.disjuncts.allSatisfy { finds($0, of: table) }
        default: return false
        }
    }

    /// Whether looking at one record after the other is quick: a comparison with what is stored, and no search in its texts.
    func comparesQuickly(_ condition: QueryExpression) -> Bool {
        switch condition {
        case .isMember(.property, _), .equal(.property, .constant), .ordered(_, .property, .constant), .related,
            .startsIgnoringCase:
            true
        case .not(let condition): comparesQuickly(condition)
        case .and: condition.conjuncts.allSatisfy(comparesQuickly)
        case .or: condition.disjuncts.allSatisfy(comparesQuickly)
        default: false
        }
    }

    private func isSorted(_ property: String, of table: ModelTable) -> Bool {
        sortIndexes.contains(SortIndex(model: table.model.name, property: property))
    }
}
