import AviaryDomain
import Foundation

// Each opens what its parts are made of and closes what it makes of them.

extension PredicateGenerator {
    func both(_ l: some StandardPredicateExpression<Bool>, _ r: some StandardPredicateExpression<Bool>) -> Part<Bool> {
        PredicateExpressions.build_Conjunction(lhs: l, rhs: r)
    }

    func either(_ l: some StandardPredicateExpression<Bool>, _ r: some StandardPredicateExpression<Bool>) -> Part<Bool>
    {
        PredicateExpressions.build_Disjunction(lhs: l, rhs: r)
    }

    func not(_ part: some StandardPredicateExpression<Bool>) -> Part<Bool> { PredicateExpressions.build_Negation(part) }

    func chosen<Value>(
        _ test: some StandardPredicateExpression<Bool>, _ yes: some StandardPredicateExpression<Value>,
        _ no: some StandardPredicateExpression<Value>
    ) -> Part<Value> {
        PredicateExpressions.build_Conditional(test, yes, no)
    }

    func equal<Value: Equatable>(
        _ l: some StandardPredicateExpression<Value>, _ r: some StandardPredicateExpression<Value>
    ) -> Part<Bool> {
        PredicateExpressions.build_Equal(lhs: l, rhs: r)
    }

    func unequal<Value: Equatable>(
        _ l: some StandardPredicateExpression<Value>, _ r: some StandardPredicateExpression<Value>
    ) -> Part<Bool> {
        PredicateExpressions.build_NotEqual(lhs: l, rhs: r)
    }

    func compared<Value: Comparable>(
        _ l: some StandardPredicateExpression<Value>, _ r: some StandardPredicateExpression<Value>
    ) -> Part<Bool> {
        PredicateExpressions.build_Comparison(lhs: l, rhs: r, op: .lessThanOrEqual)
    }

    func or<Value>(
        _ l: some StandardPredicateExpression<Value?>, _ r: some StandardPredicateExpression<Value>
    ) -> Part<Value> {
        PredicateExpressions.build_NilCoalesce(lhs: l, rhs: r)
    }

    func contains(_ l: some StandardPredicateExpression<String>, _ r: some StandardPredicateExpression<String>) -> Part<
        Bool
    > {
        PredicateExpressions.build_contains(l, r)
    }

    func starts(_ l: some StandardPredicateExpression<String>, _ r: some StandardPredicateExpression<String>) -> Part<
        Bool
    > {
        PredicateExpressions.build_starts(l, with: r)
    }

    func finds(_ l: some StandardPredicateExpression<String>, _ r: some StandardPredicateExpression<String>) -> Part<
        Bool
    > {
        PredicateExpressions.build_localizedStandardContains(l, r)
    }

    func isEmpty(_ part: some StandardPredicateExpression<String>) -> Part<Bool> {
        PredicateExpressions.build_KeyPath(root: part, keyPath: \.isEmpty)
    }

    func member<Value: Equatable & Codable & Sendable>(
        _ element: some StandardPredicateExpression<Value>, _ list: [Value]
    ) -> Part<Bool> {
        PredicateExpressions.build_contains(PredicateExpressions.Value(list), element)
    }

    func inside<Bounds: RangeExpression>(
        _ range: some StandardPredicateExpression<Bounds>, _ element: some StandardPredicateExpression<Bounds.Bound>
    ) -> Part<Bool> {
        PredicateExpressions.build_contains(range, element)
    }

    func calculated<Value: Numeric & Codable & Sendable>(
        _ l: some StandardPredicateExpression<Value>, _ r: some StandardPredicateExpression<Value>, _ operation: Int
    ) -> Part<Value> {
        switch operation {
        case 0: PredicateExpressions.build_Arithmetic(lhs: l, rhs: r, op: .add)
        case 1: PredicateExpressions.build_Arithmetic(lhs: l, rhs: r, op: .subtract)
        default: PredicateExpressions.build_Arithmetic(lhs: l, rhs: r, op: .multiply)
        }
    }

    func negative<Value: SignedNumeric>(_ part: some StandardPredicateExpression<Value>) -> Part<Value> {
        PredicateExpressions.build_UnaryMinus(part)
    }

    func divided(_ l: some StandardPredicateExpression<Int>, by r: Int) -> Part<Int> {
        PredicateExpressions.build_Division(lhs: l, rhs: PredicateExpressions.Value(r))
    }

    func remainder(_ l: some StandardPredicateExpression<Int>, by r: Int) -> Part<Int> {
        PredicateExpressions.build_Remainder(lhs: l, rhs: PredicateExpressions.Value(r))
    }

    func quotient(_ l: some StandardPredicateExpression<Double>, by r: Double) -> Part<Double> {
        PredicateExpressions.build_Division(lhs: l, rhs: PredicateExpressions.Value(r))
    }

    func incremented(_ part: some StandardPredicateExpression<Int?>, by step: Int) -> Part<Int?> {
        PredicateExpressions.build_flatMap(part) { value in
            PredicateExpressions.build_Arithmetic(lhs: value, rhs: PredicateExpressions.Value(step), op: .add)
        }
    }

    func below(_ part: some StandardPredicateExpression<Int?>, _ bound: Int) -> Part<Bool?> {
        PredicateExpressions.build_flatMap(part) { value in
            PredicateExpressions.build_Comparison(lhs: value, rhs: PredicateExpressions.Value(bound), op: .lessThan)
        }
    }

    func beginning(_ part: some StandardPredicateExpression<String?>, with prefix: String) -> Part<Bool?> {
        PredicateExpressions.build_flatMap(part) { value in
            PredicateExpressions.build_starts(value, with: PredicateExpressions.Value(prefix))
        }
    }
}
