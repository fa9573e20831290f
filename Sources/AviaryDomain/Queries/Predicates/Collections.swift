public import Foundation

// Foundation has this kind of expression on Apple's platforms only; there its own is used.
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

            /// Returns a Boolean value that indicates whether the first string contains the second.
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
