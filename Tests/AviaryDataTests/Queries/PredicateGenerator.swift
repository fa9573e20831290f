import AviaryDomain
import Foundation
import TestSupport

/// A generator of random predicates that combine every kind of expression the store supports.
struct PredicateGenerator {
    typealias E = PredicateExpressions
    typealias Part<Value> = any StandardPredicateExpression<Value>

    private var random: SeededGenerator
    private let record: E.Variable<Creature>
    /// A closure that encodes a text in the predicate in the same way as those of the records.
    private let text: (String) -> String
    /// The texts that are used in the predicates.
    private let pieces: [String]
    /// Indicates whether the predicates contain case-insensitive and diacritic-insensitive operations.
    private let folds: Bool

    /// Returns the predicate of the seed. The same seed produces the same predicate, except for its texts.
    static func predicate(seed: UInt64, pieces: [String], folds: Bool, _ text: @escaping (String) -> String)
        -> Predicate<Creature>
    {
        Predicate { record in
            var generator = PredicateGenerator(
                random: SeededGenerator(seed: seed), record: record, text: text, pieces: pieces, folds: folds
            )
            return generator.condition(4)
        }
    }

    private mutating func pick(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }

    // MARK: Conditions

    private mutating func condition(_ depth: Int) -> Part<Bool> {
        guard depth > 0 else { return truth(\.isTame) }
        switch pick(20) {
        case 0: return both(condition(depth - 1), condition(depth - 1))
        case 1: return either(condition(depth - 1), condition(depth - 1))
        case 2, 3: return not(condition(depth - 1))
        case 4: return chosen(condition(depth - 1), condition(depth - 1), condition(depth - 1))
        case 5: return equal(condition(depth - 1), condition(depth - 1))
        case 6: return unequal(optionalTruth(depth - 1), value(pick(2) == 0 ? nil : pick(2) == 0))
        case 7: return or(optionalTruth(depth - 1), condition(depth - 1))
        case 8: return compared(integer(depth - 1), integer(depth - 1))
        case 9: return compared(number(depth - 1), number(depth - 1))
        case 10: return compared(string(depth - 1), string(depth - 1))
        case 11: return equal(optionalInteger(depth - 1), optionalInteger(depth - 1))
        case 12: return unequal(optionalString(depth - 1), optionalString(depth - 1))
        case 13: return textual(depth - 1)
        case 14: return member(integer(depth - 1), (0..<pick(5)).map { _ in pick(12) - 4 })
        case 15: return member(optionalInteger(depth - 1), (0..<pick(5)).map { _ in pick(3) == 0 ? nil : pick(12) - 4 })
        case 16: return ranged(depth - 1)
        case 17: return unwrapped()
        case 18: return times()
        default: return choice()
        }
    }

    private mutating func textual(_ depth: Int) -> Part<Bool> {
        switch pick(folds ? 6 : 4) {
        case 0: contains(string(depth), string(0))
        case 1: starts(string(depth), string(0))
        case 2: isEmpty(string(depth))
        case 3: member(string(depth), (0..<pick(4)).map { _ in constantText() })
        default: finds(string(depth), string(0))
        }
    }

    private mutating func ranged(_ depth: Int) -> Part<Bool> {
        let start = pick(3) == 0 ? Int.min : pick(10) - 5, end = pick(3) == 0 ? Int.max : 5 + pick(10)
        switch pick(4) {
        case 0: return inside(value(start..<end), integer(depth))
        case 1: return inside(value(start...end), integer(depth))
        case 2: return inside(value(start...), integer(depth))
        default: return inside(value(-0.0..<(.infinity)), number(depth))
        }
    }

    /// Returns a forced unwrap that follows a test for nil.
    private mutating func unwrapped() -> Part<Bool> {
        let legs = E.build_KeyPath(root: record, keyPath: \.legs), bound = E.Value(pick(8))
        let isThere = E.build_NotEqual(lhs: legs, rhs: E.NilLiteral<Int>())
        let test = E.build_Comparison(lhs: E.build_ForcedUnwrap(legs), rhs: bound, op: .lessThan)
        if pick(2) == 0 { return E.build_Conjunction(lhs: isThere, rhs: test) }
        return E.build_Disjunction(lhs: E.build_Equal(lhs: legs, rhs: E.NilLiteral<Int>()), rhs: test)
    }

    private mutating func times() -> Part<Bool> {
        switch pick(3) {
        case 0: compared(property(\.seen), value(Menagerie.noon(plus: pick(7) - 3)))
        case 1: compared(property(\.tag), value(Menagerie.tags[pick(4)]))
        default: unequal(property(\.moved), value(pick(3) == 0 ? nil : CalendarDate(year: 2020, month: 2, day: 1)))
        }
    }

    private mutating func choice() -> Part<Bool> {
        switch pick(4) {
        case 0: return equal(property(\.diet), value(Creature.Diet.allCases[pick(3)]))
        case 1: return unequal(property(\.secondDiet), value(pick(3) == 0 ? nil : Creature.Diet.allCases[pick(3)]))
        case 2: return member(property(\.secondDiet), [nil, Creature.Diet.allCases[pick(3)]])
        default: return E.build_KeyPath(root: E.build_KeyPath(root: record, keyPath: \.diet), keyPath: \.eatsMeat)
        }
    }

    // MARK: Values

    private mutating func integer(_ depth: Int) -> Part<Int> {
        guard depth > 0 else { return property(\.age) }
        switch pick(9) {
        case 0: return property(\.age)
        case 1: return value(pick(20) - 8)
        case 2: return or(optionalInteger(depth - 1), integer(depth - 1))
        case 3: return chosen(condition(depth - 1), integer(depth - 1), integer(depth - 1))
        case 4: return calculated(integer(depth - 1), integer(depth - 1), pick(3))
        case 5: return negative(integer(depth - 1))
        case 6: return divided(integer(depth - 1), by: [2, 3, -4, 7][pick(4)])
        case 7: return remainder(integer(depth - 1), by: [2, 3, -4, 7][pick(4)])
        default: return E.build_KeyPath(root: E.build_KeyPath(root: record, keyPath: \.diet), keyPath: \.portions)
        }
    }

    private mutating func number(_ depth: Int) -> Part<Double> {
        guard depth > 0 else { return property(\.weight) }
        switch pick(7) {
        case 0: return property(\.weight)
        case 1: return value([0, -0.0, 2.5, -1.25, 0.1, 1e300][pick(5)])
        case 2: return or(property(\.height), number(depth - 1))
        case 3: return chosen(condition(depth - 1), number(depth - 1), number(depth - 1))
        case 4: return calculated(number(depth - 1), number(depth - 1), pick(3))
        case 5: return quotient(number(depth - 1), by: [2, -0.5, 3][pick(3)])
        default: return negative(number(depth - 1))
        }
    }

    private mutating func string(_ depth: Int) -> Part<String> {
        guard depth > 0 else { return pick(2) == 0 ? property(\.name) : value(constantText()) }
        switch pick(4) {
        case 0: return property(\.name)
        case 1: return value(constantText())
        case 2: return or(optionalString(depth - 1), string(depth - 1))
        default: return chosen(condition(depth - 1), string(depth - 1), string(depth - 1))
        }
    }

    private mutating func constantText() -> String {
        text((0..<pick(3)).map { _ in pieces[pick(pieces.count)] }.joined())
    }

    private mutating func optionalInteger(_ depth: Int) -> Part<Int?> {
        guard depth > 0 else { return property(\.legs) }
        switch pick(4) {
        case 0: return property(\.legs)
        case 1: return value(pick(3) == 0 ? nil : pick(10) - 2)
        case 2: return chosen(condition(depth - 1), optionalInteger(depth - 1), optionalInteger(depth - 1))
        default: return incremented(optionalInteger(depth - 1), by: pick(3))
        }
    }

    private mutating func optionalString(_ depth: Int) -> Part<String?> {
        guard depth > 0 else { return property(\.nickname) }
        switch pick(3) {
        case 0: return property(\.nickname)
        case 1: return value(pick(3) == 0 ? nil : constantText())
        default: return chosen(condition(depth - 1), optionalString(depth - 1), optionalString(depth - 1))
        }
    }

    private mutating func optionalTruth(_ depth: Int) -> Part<Bool?> {
        switch pick(4) {
        case 0: property(\.isTagged)
        case 1: beginning(optionalString(depth), with: constantText())
        case 2: below(optionalInteger(depth), pick(8))
        default: value([true, false, nil][pick(3)])
        }
    }

    private func property<Value>(_ keyPath: any KeyPath<Creature, Value> & Sendable) -> Part<Value> {
        E.build_KeyPath(root: record, keyPath: keyPath)
    }

    private func truth(_ keyPath: any KeyPath<Creature, Bool> & Sendable) -> Part<Bool> { property(keyPath) }

    private func value<Value: Codable & Sendable>(_ value: Value) -> Part<Value> { E.Value(value) }
}

// Each function opens the existential types of its parts and returns the combined expression as an existential
// type.

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
