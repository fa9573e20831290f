/// An expression to sort by. Its value can also be computed from a record.
package struct SortKey: Sendable, Hashable {
    /// The id, a property, or what a choice counts for.
    package let expression: QueryExpression
    package let direction: SortDirection

    package init(_ expression: QueryExpression, _ direction: SortDirection = .ascending) {
        self.expression = expression
        self.direction = direction
    }

    /// - Parameter schema: The record's model.
    func value(of record: Record, in schema: ModelSchema) -> FieldValue {
        switch expression {
        case .id: record.id.fieldValue
        case .property(let name): record.value(name, in: schema)
        case .mapped(.property(let name), let values): values[record.value(name, in: schema)] ?? .null
        default: .null
        }
    }
}
