public import Foundation

extension PredicateExpressions.SequenceContains: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let element = try translation.expression(of: element)
        switch try translation.term(of: sequence) {
        case .captured(let values):
            return .expression(try translation.membership(element, in: values, of: RHS.Output.self))
        case .expression(let list):
            return .expression(try translation.search(for: element, of: RHS.Output.self, in: list, of: LHS.Output.self))
        case .record, .range:
            throw translation.error("A search for an element", "has no list to look at. Search in an array or a set.")
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let conditions = try translation.conditions(sequence, test, variable.key)
        return .expression(.any(conditions))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        let conditions = try translation.conditions(sequence, test, variable.key)
        return .expression(.all(conditions))
    }
}

extension QueryTranslation {
    /// The largest number of elements to test. Each becomes a nested condition.
    private static let mostConditions = 200

    /// Returns a condition for each element of a list that the predicate captured.
    fileprivate mutating func conditions(
        _ sequence: any PredicateExpression, _ test: any PredicateExpression,
        _ variable: PredicateExpressions.VariableID
    ) throws(QueryError) -> [QueryExpression] {
        guard case .captured(let values) = try term(of: sequence) else {
            throw error(
                "A test of the elements of a stored value",
                "is not known to the store. Ask for an element, `$0.tags.contains(\"a\")`, or test elements of an array of the program."
            )
        }
        let elements = try elements(values)
        guard elements.count <= Self.mostConditions else {
            throw error(
                "A test of \(elements.count) elements",
                "is too much to be asked at once. Test at most \(Self.mostConditions), or write `list.contains($0.name)`."
            )
        }
        var conditions: [QueryExpression] = []
        for element in elements {
            conditions.append(try expression(of: test, binding: variable, to: .captured(element)))
        }
        return conditions
    }
}

extension PredicateExpressions.CollectionContainsCollection: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        try translation.checkText(Base.Output.self, Other.Output.self)
        return .expression(.contains(try translation.expression(of: base), part: try translation.expression(of: other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
        try translation.checkText(Base.Output.self, Prefix.Output.self)
        return .expression(.starts(try translation.expression(of: base), with: try translation.expression(of: prefix)))
    }
}

extension QueryTranslation {
    func checkText(_ types: Any.Type...) throws(QueryError) {
        for type in types where type != String.self {
            throw error(
                "A search of a sequence in a \(type)", "is not known to the store. Search for a String in a String.")
        }
    }
}

// Foundation has this kind of expression on Apple's platforms only. There, its own expression is used.

#if !canImport(Darwin)
    extension PredicateExpressions {
        /// An expression in a predicate that checks whether a string contains another, without regard to case and
        /// accents.
        ///
        /// ```swift
        /// let found = try await animals.fetch(
        ///     FetchDescriptor(predicate: #Predicate { $0.name.localizedStandardContains("ele") })
        /// )
        /// ```
        ///
        /// "Éléphant" equals "elephant", and "ß" equals "ss". Every string contains the empty string. The comparison
        /// follows the rules of no language, so that the store and `evaluate(_:)` give the same result on every
        /// machine.
        public struct LocalizedStandardContains<Base: PredicateExpression, Other: PredicateExpression>:
            PredicateExpression
        where Base.Output: StringProtocol, Other.Output: StringProtocol {
            /// The type of the expression's result.
            public typealias Output = Bool

            /// The expression of the string to search in.
            public let base: Base
            /// The expression of the string to search for.
            public let other: Other

            /// Creates the expression from the two expressions of strings.
            ///
            /// - Parameters:
            ///   - base: The expression of the string to search in.
            ///   - other: The expression of the string to search for.
            public init(base: Base, other: Other) {
                self.base = base
                self.other = other
            }

            /// Indicates whether the first string contains the second.
            ///
            /// - Parameter bindings: The values of the predicate's variables.
            /// - Throws: The errors of the two expressions.
            public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
                String(try base.evaluate(bindings)).containsFolded(String(try other.evaluate(bindings)))
            }
        }

        /// Creates the expression for a call of `localizedStandardContains` in a `#Predicate`. The macro calls this
        /// function.
        ///
        /// - Parameters:
        ///   - base: The expression of the string to search in.
        ///   - other: The expression of the string to search for.
        public static func build_localizedStandardContains<Base, Other>(
            _ base: Base, _ other: Other
        ) -> LocalizedStandardContains<Base, Other> {
            LocalizedStandardContains(base: base, other: other)
        }
    }

    extension PredicateExpressions.LocalizedStandardContains: Sendable where Base: Sendable, Other: Sendable {}
    extension PredicateExpressions.LocalizedStandardContains: Codable where Base: Codable, Other: Codable {}
    extension PredicateExpressions.LocalizedStandardContains: StandardPredicateExpression
    where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

    extension PredicateExpressions.LocalizedStandardContains: QueryNode {
        func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm {
            try translation.checkText(Base.Output.self, Other.Output.self)
            let text = try translation.expression(of: base), part = try translation.expression(of: other)
            return .expression(.contains(text.folded, part: part.folded))
        }
    }
#endif

extension QueryExpression {
    var folded: QueryExpression {
        if case .constant(.text(let text)) = self { .constant(.text(text.folded)) } else { .folded(self) }
    }
}
