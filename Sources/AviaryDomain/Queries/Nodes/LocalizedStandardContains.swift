public import Foundation

// Foundation has this kind of expression on Apple's platforms only; there its own is used.
#if !canImport(Darwin)
    extension PredicateExpressions {
        /// `$0.name.localizedStandardContains("okapi")` in a predicate: whether a text stands in another, without regard to case
        /// and accents.
        ///
        /// ```swift
        /// let found = try await animals.fetch(FetchDescriptor(predicate: #Predicate { $0.name.localizedStandardContains("ele") }))
        /// ```
        ///
        /// "Éléphant" and "elephant" are the same to it, "ß" is "ss", and the empty text stands in every text. It follows no
        /// language's own rules, so that the store and `evaluate(_:)` give the same answer on every machine.
        public struct LocalizedStandardContains<Base: PredicateExpression, Other: PredicateExpression>:
            PredicateExpression
        where Base.Output: StringProtocol, Other.Output: StringProtocol {
            public typealias Output = Bool

            /// What is searched.
            public let base: Base
            /// What is searched for.
            public let other: Other

            public init(base: Base, other: Other) {
                self.base = base
                self.other = other
            }

            public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
                String(try base.evaluate(bindings)).containsFolded(String(try other.evaluate(bindings)))
            }
        }

        /// What `#Predicate` writes for `localizedStandardContains`.
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
