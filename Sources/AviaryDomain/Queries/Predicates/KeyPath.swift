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

    /// Returns a Boolean value that indicates whether this is the model's `id`.
    ///
    /// A model has no other stored property of that type. The `\.id` of the protocol is another key path.
    private func isIdentity<M: Model>(of model: M.Type) -> Bool {
        guard Output.self == M.ID.self, let keyPath = keyPath as? PartialKeyPath<M> else { return false }
        return MemoryLayout<M>.offset(of: keyPath) != nil
    }

    /// A property of a stored value.
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

    /// Swift knows the names of stored properties only, and of others their place in memory.
    fileprivate func name(of keyPath: AnyKeyPath) -> String {
        if keyPath == \String.count { return #"\String.count"# }
        let name = "\(keyPath)"
        let type = type(of: keyPath)
        return name.contains("<") ? "A calculated property of \(type.rootType), \(type.valueType)," : name
    }
}

/// Holds nothing but an id, which is what is stored of it.
private protocol IdentityHolder {
    static var identityKeyPath: AnyKeyPath { get }
}

extension Reference: IdentityHolder {
    fileprivate static var identityKeyPath: AnyKeyPath { \Reference<M>.id }
}

extension RecordID: IdentityHolder {
    fileprivate static var identityKeyPath: AnyKeyPath { \RecordID<M>.uuid }
}
