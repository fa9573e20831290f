import Foundation

/// A filter of a list: a property, and the kind of condition.
package struct ListFilter: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A filter by a few values, of which a user can select several.
        case choice
        case flag
        /// A filter by related records of the named model.
        case relation(model: String)
        /// A filter by a day without a time.
        case day
        case instant
        case number
        /// A filter by whether the record has a value.
        case presence
    }

    package let property: String
    package let kind: Kind
    /// Indicates whether a record can have no value.
    package let isOptional: Bool
    /// The path from a record to the related records of a to-many property; nil for a stored property.
    let path: RelationPath?

    /// Creates the filter for a property; nil when the property cannot be filtered. Texts are searched instead.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - path: The path to the related records of a to-many property.
    package init?(_ property: PropertySchema, path: RelationPath? = nil) {
        self.property = property.name
        self.path = path
        isOptional = property.isOptional || path != nil
        guard !property.isSecret else { return nil }
        switch property.type {
        case .choice, .integerChoice: kind = .choice
        case .boolean: kind = .flag
        case .toOne(let model): kind = .relation(model: model)
        case .toMany(let model):
            guard path != nil else { return nil }
            kind = .relation(model: model)
        case .calendarDate: kind = .day
        case .date: kind = .instant
        case .integer, .sizedInteger, .double, .float, .decimal: kind = .number
        case .string, .uuid, .data, .url, .json, .array:
            guard property.isOptional else { return nil }
            kind = .presence
        }
    }

    /// Indicates whether the filter has a lower and an upper bound.
    package var isRange: Bool {
        switch kind {
        case .day, .instant, .number: true
        case .choice, .flag, .relation, .presence: false
        }
    }
}

/// The filter that a user sets for one property: any of several values, a range, or no value.
package struct FilterSetting: Sendable, Hashable {
    package let property: String
    /// The values, any of which a record may have.
    package var values: [FieldValue]
    /// The lower bound, which is inclusive, as is ``upper``. The bound of a point in time may be a day.
    package var lower: FieldValue?
    package var upper: FieldValue?
    /// Indicates whether the filter also includes records without a value (true) or excludes them (false); nil
    /// without such a condition.
    package var isEmpty: Bool?

    package init(
        _ property: String, values: [FieldValue] = [], lower: FieldValue? = nil, upper: FieldValue? = nil,
        isEmpty: Bool? = nil
    ) {
        self.property = property
        self.values = values
        self.lower = lower
        self.upper = upper
        self.isEmpty = isEmpty
    }

    /// Indicates whether the filter includes all records.
    package var isUnset: Bool { values.isEmpty && lower == nil && upper == nil && isEmpty == nil }
}

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

    /// Indicates whether the range of the setting ends before it begins, so that it contains no value.
    package func isReversedRange(_ setting: FilterSetting) -> Bool {
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
            setting.lower.map { lower in
                let start = kind == .instant ? lower.start(ofDayAfter: 0) : nil
                return QueryExpression.ordered(.greaterOrEqual, value, .constant(start ?? lower))
            },
            setting.upper.map { upper in
                if kind == .instant, let end = upper.start(ofDayAfter: 1) {
                    return .ordered(.less, value, .constant(end))
                }
                // Instants are ordered like their texts, and their texts follow the text of their day.
                if kind == .instant, let next = upper.followingDay { return .ordered(.less, value, .constant(next)) }
                return .ordered(.lessOrEqual, value, .constant(upper))
            },
        ].compactMap(\.self)
        return bounds.isEmpty ? nil : .all(bounds)
    }
}

extension FieldValue {
    /// Returns the first point in time of a day in the zone of the page, or of a later day; nil in UTC, where the texts
    /// of days suffice, and for a value that is not a day.
    fileprivate func start(ofDayAfter count: Int) -> FieldValue? {
        guard let zone = PageTimeZone.current, case .text(let text) = self, let day = CalendarDate(text) else {
            return nil
        }
        // Noon, because a day can have 23 to 25 hours.
        let date = day.start(in: .gmt).addingTimeInterval(Double(count) * 86_400 + 43_200)
        guard let later = CalendarDate(date, in: .gmt) else { return nil }
        return later.start(in: zone).rfc3339.map(FieldValue.text)
    }

    /// The smallest text after all times of the day; nil when the value is not a day.
    fileprivate var followingDay: FieldValue? {
        guard case .text(let text) = self, let day = CalendarDate(text) else { return nil }
        // All times of the day continue with a "T", and the text of the next day is greater.
        return .text(day.description + "U")
    }
}
