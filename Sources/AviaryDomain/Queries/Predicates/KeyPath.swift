import Foundation

extension PredicateExpressions.KeyPath: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        switch try translation.term(of: root) {
        case .record: return .expression(try property(in: translation))
        case .captured(let value):
            guard let value = value as? Root.Output else { throw translation.unknown(keyPath) }
            return .captured(value[keyPath: keyPath])
        case .expression(let value): return .expression(try part(of: value, in: translation))
        case .range: throw translation.unknown(keyPath)
        }
    }

    private func property(in translation: QueryTranslation) throws(QueryError) -> QueryExpression {
        if let property = translation.model.property(at: keyPath) {
            guard property.type.isStored else {
                throw translation.error(
                    "The relation \(property.name)",
                    "has no value of its own. Ask for what is in the related records with FetchDescriptor.related: RelatedCondition(\\.\(property.name), containing: #Predicate { … })."
                )
            }
            return .property(property.name)
        }
        guard let model = Root.Output.self as? any Model.Type, isIdentity(of: model) else {
            throw translation.error(
                translation.name(of: keyPath),
                "is no stored property. Ask for those that the model stores, and filter the result in memory."
            )
        }
        return .id
    }

    /// Indicates whether this is the model's `id`.
    ///
    /// A model has no other stored property of that type. The `\.id` of the protocol is another key path.
    private func isIdentity<M: Model>(of model: M.Type) -> Bool {
        guard Output.self == M.ID.self, let keyPath = keyPath as? PartialKeyPath<M> else { return false }
        return MemoryLayout<M>.offset(of: keyPath) != nil
    }

    /// Returns the expression for a property of a stored value.
    private func part(of value: QueryExpression, in translation: QueryTranslation) throws(QueryError) -> QueryExpression
    {
        if keyPath == \String.isEmpty { return .equal(value, .constant(.text(""))) }
        if let list = try translation.part(of: value, Root.Output.self, kind) { return list }
        if let embedded = Root.Output.self as? any Embedded.Type {
            return try translation.part(of: value, embedded.embeddedProperties, at: keyPath)
        }
        if let identity = Root.Output.self as? any IdentityHolder.Type, identity.identityKeyPath == keyPath {
            return value
        }
        if let choice = Root.Output.self as? any Choice.Type { return try mapping(of: value, choice, in: translation) }
        throw translation.unknown(keyPath)
    }

    /// Returns an expression that maps each choice to its raw value, or to a property that the program computes.
    private func mapping<C: Choice>(
        of value: QueryExpression, _ choice: C.Type, in translation: QueryTranslation
    ) throws(QueryError) -> QueryExpression {
        var values: [FieldValue: FieldValue] = [:]
        for choice in C.allCases {
            guard let keyPath = keyPath as? KeyPath<C, Output> else { throw translation.unknown(keyPath) }
            values[choice.fieldValue] = try translation.constant(choice[keyPath: keyPath])
        }
        return values.allSatisfy { $0.key == $0.value } ? value : .mapped(value, values)
    }
}

extension QueryTranslation {
    func unknown(_ keyPath: AnyKeyPath) -> QueryError {
        let advice =
            keyPath == \String.count
            ? "is not known to the store, which keeps bytes and counts no characters. Compare the text itself, or `isEmpty`."
            : "is not known to the store. Compare the value itself, and filter the result in memory by what it says of itself."
        return error(name(of: keyPath), advice)
    }

    /// Returns a name for messages. Swift knows the names of stored properties only, and describes others by their
    /// address.
    fileprivate func name(of keyPath: AnyKeyPath) -> String {
        if keyPath == \String.count { return #"\String.count"# }
        let name = "\(keyPath)"
        let type = type(of: keyPath)
        return name.contains("<") ? "A calculated property of \(type.rootType), \(type.valueType)," : name
    }
}

/// A type that consists of an id, which is its stored value.
private protocol IdentityHolder {
    static var identityKeyPath: AnyKeyPath { get }
}

extension Reference: IdentityHolder {
    fileprivate static var identityKeyPath: AnyKeyPath { \Reference<M>.id }
}

extension RecordID: IdentityHolder {
    fileprivate static var identityKeyPath: AnyKeyPath { \RecordID<M>.uuid }
}

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

    /// Returns the expression for a property of a struct that is stored as JSON.
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
        let storage = property.type.storage
        let part: QueryExpression =
            if case .json(let outer, let keys, _) = value {
                .json(outer, keys: keys + [property.key], as: storage)
            } else {
                .json(value, keys: [property.key], as: storage)
            }
        guard let standard = property.valueWhenMissing, !property.isStruct else { return part }
        return .ifPresent(value, .coalesced(part, .constant(standard)))
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
    /// Indicates whether predicates can use the properties of the value, but not the value as a whole.
    fileprivate var isStruct: Bool { !properties.isEmpty }
}
