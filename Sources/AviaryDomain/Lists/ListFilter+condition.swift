extension ListFilter {
    /// Returns the condition of the records that the setting includes; nil when it includes all records.
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

    /// Returns a Boolean value that indicates whether the range of the setting ends before it begins, so that it
    /// contains no value.
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
    /// The following day, when the value is a text that is a day.
    fileprivate var followingDay: FieldValue? {
        guard case .text(let text) = self, let day = CalendarDate(text) else { return nil }
        // Behind every time of the day, which goes on with a "T", and before the next day.
        return .text(day.description + "U")
    }
}
