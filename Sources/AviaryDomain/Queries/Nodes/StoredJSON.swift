import Foundation

extension QueryTranslation {
    /// Returns the expression for `isEmpty` or `count` of a stored list; nil when the value is not a list.
    func part<Root, Output>(
        of value: QueryExpression, _ type: Any.Type,
        _ kind: PredicateExpressions.KeyPath<Root, Output>.CommonKeyPathKind?
    ) throws(QueryError) -> QueryExpression? {
        guard let list = type as? any StoredValue.Type, case .array = list.propertyType else { return nil }
        switch kind {
        case .collectionIsEmpty: return .equal(.elementCount(value), .constant(.integer(0)))
        case .collectionCount: return .elementCount(value)
        case .collectionFirst, .bidirectionalCollectionLast, nil:
            throw error(
                "A key path of \(type)",
                "is not known to the store. Ask for an element, `$0.tags.contains(\"a\")`, `isEmpty` or `count`."
            )
        @unknown default: throw error("A key path of \(type)", "is of a new kind. Filter the result in memory.")
        }
    }

    /// A property of a struct that is stored as JSON.
    func part(
        of value: QueryExpression, _ properties: [EmbeddedProperty], at keyPath: AnyKeyPath
    ) throws(QueryError) -> QueryExpression {
        guard let property = properties.first(where: { ($0.keyPath as AnyKeyPath) == keyPath }) else {
            throw unknown(keyPath)
        }
        guard property.type.isExactInJSON || property.isStruct, !property.key.contains("\"") else {
            throw error(
                "The property \(property.key) of \(type(of: keyPath).rootType)",
                "cannot be asked for: JSON writes its values in ways of its own. Make it a property of the model, or filter the result in memory."
            )
        }
        if case .json(let outer, let keys) = value { return .json(outer, keys: keys + [property.key]) }
        return .json(value, keys: [property.key])
    }

    func search(
        for element: QueryExpression, of elementType: Any.Type, in list: QueryExpression, of type: Any.Type
    ) throws(QueryError) -> QueryExpression {
        if elementType is any OptionalType.Type {
            throw error(
                "A search in a list that may hold nil",
                "is not known to the store. Keep a list without nil, or filter the result in memory.")
        }
        if type is any StringProtocol.Type {
            throw error(
                "A search for one element of a text",
                "is not known to the store. Search for a String: `$0.name.contains(\"a\")`.")
        }
        guard let stored = type as? any StoredValue.Type, case .array(let content) = stored.propertyType,
            content.isExactInJSON
        else {
            throw error(
                "A search for an element of \(type)",
                "cannot be asked for: JSON writes its elements in ways of its own. Filter the result in memory."
            )
        }
        return .hasElement(list, element)
    }
}

extension EmbeddedProperty {
    /// Whose own properties can be asked for, but not the whole.
    fileprivate var isStruct: Bool { !properties.isEmpty }
}
