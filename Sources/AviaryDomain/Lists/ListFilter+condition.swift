extension ListFilter {
    /// What holds for the records that the setting lets through; nil when it is all of them.
    package func condition(_ setting: FilterSetting) -> QueryExpression? {
        var alternatives: [QueryExpression] = []
        if !setting.values.isEmpty { alternatives.append(isAny(of: setting.values)) }
        if let range = range(setting) { alternatives.append(range) }
        if setting.isEmpty == true { alternatives.append(isEmpty) }
        guard alternatives.isEmpty else { return .any(alternatives) }
        return setting.isEmpty == false ? .not(isEmpty) : nil
    }

    private func isAny(of values: [FieldValue]) -> QueryExpression {
        guard let path else { return .isMember(.property(property), of: values) }
        return .related(path, where: .isMember(.id, of: values))
    }

    private var isEmpty: QueryExpression {
        guard let path else { return .equal(.property(property), .nil) }
        return .not(.related(path, where: .true))
    }

    /// Whether its range ends before it begins: no value is in it.
    package func isUpsideDown(_ setting: FilterSetting) -> Bool {
        guard let lower = setting.lower, let upper = setting.upper else { return false }
        return switch (lower, (kind == .instant ? upper.followingDay : nil) ?? upper) {
        case (.integer(let lower), .integer(let upper)): lower > upper
        case (.real(let lower), .real(let upper)): lower > upper
        case (.text(let lower), .text(let upper)): upper.utf8.lexicographicallyPrecedes(lower.utf8)
        default: false
        }
    }

    private func range(_ setting: FilterSetting) -> QueryExpression? {
        let value = QueryExpression.property(property)
        let bounds = [
            setting.lower.map { QueryExpression.ordered(.greaterOrEqual, value, .constant($0)) },
            setting.upper.map { upper in
                // Instants sort as their texts do, behind the text of their day.
                if kind == .instant, let next = upper.followingDay { return .ordered(.less, value, .constant(next)) }
                return .ordered(.lessOrEqual, value, .constant(upper))
            },
        ].compactMap(\.self)
        return bounds.isEmpty ? nil : .all(bounds)
    }
}

extension FieldValue {
    /// Of a text that is a day.
    fileprivate var followingDay: FieldValue? {
        guard case .text(let text) = self, let day = CalendarDate(text) else { return nil }
        // Behind every time of the day, which goes on with a "T", and before the next day.
        return .text(day.description + "U")
    }
}
