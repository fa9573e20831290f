/// A filter of a list: a property, and the kind of condition.
package struct ListFilter: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// One of a few values, each of which can be ticked.
        case choice
        case flag
        /// A record of the named model that it is related to.
        case relation(model: String)
        /// A day without a time.
        case day
        case instant
        case number
        /// A filter by whether there is a value.
        case presence
    }

    package let property: String
    package let kind: Kind
    /// A Boolean value that indicates whether there may be no value.
    package let isOptional: Bool
    /// The path from a record to the related records of a to-many property; nil for a stored property.
    let path: RelationPath?

    /// - Parameter path: Where a to-many property leads.
    /// - Returns: Nil for what no list can be narrowed by: texts are searched.
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

    /// A Boolean value that indicates whether the filter has a lower and an upper bound.
    package var isRange: Bool {
        switch kind {
        case .day, .instant, .number: true
        case .choice, .flag, .relation, .presence: false
        }
    }
}
