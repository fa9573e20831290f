package import Foundation

/// A predicate as data, without its Swift types.
///
/// Each case has the value that Swift would return. Nil is an ordinary value: nil equals nil, and does not equal any
/// text. Texts are compared by their bytes, as they are stored.
package indirect enum QueryExpression: Sendable, Hashable {
    // MARK: Values

    case id
    /// A stored property of the model.
    case property(String)
    case constant(FieldValue)
    /// An exact number that is not yet converted to the scale of a property. A finished query does not contain it.
    case decimal(Decimal)
    /// The first value unless it is nil; otherwise the second.
    case coalesced(Self, Self)
    /// The second value when the first is not nil; otherwise nil.
    case ifPresent(Self, Self)
    case conditional(Self, then: Self, else: Self)
    /// The value that represents each stored choice.
    case mapped(Self, [FieldValue: FieldValue])
    case arithmetic(Arithmetic, Number, Self, Self)
    case negative(Number, Self)
    /// A text in the form that searches compare, `String.folded`.
    case folded(Self)
    /// The value at a path of keys in a JSON value; nil when there is none. It is of a type like that of a column.
    case json(Self, keys: [String], as: PropertyType.Storage)
    /// The number of elements of a list that is stored as JSON.
    case elementCount(Self)

    // MARK: Conditions

    case equal(Self, Self)
    /// A comparison that holds only when neither value is nil.
    case ordered(Ordering, Self, Self)
    case contains(Self, part: Self)
    case starts(Self, with: Self)
    /// A condition that the property's text begins with a prefix, without regard to the case of ASCII letters. An
    /// index over texts can evaluate it.
    case startsIgnoringCase(property: String, String)
    case isMember(Self, of: [FieldValue])
    /// A condition that a list that is stored as JSON contains the element.
    case hasElement(Self, Self)
    /// A condition that a related record exists for which another condition is true.
    case related(RelationPath, where: Self)
    /// The first value; an error when the second one is false.
    case checked(Self, where: Self)
    case and(Self, Self)
    case or(Self, Self)
    case not(Self)

    package enum Ordering: Sendable, Hashable {
        case less, lessOrEqual, greater, greaterOrEqual
    }

    package enum Arithmetic: Sendable, Hashable {
        /// The arithmetic operations. For division and remainder, the second number is a constant other than zero.
        case add, subtract, multiply, divide, remainder
    }

    /// The type of the numbers of a calculation.
    package enum Number: Sendable, Hashable {
        case integer, double
    }

    package static func all(_ conditions: [Self]) -> Self {
        conditions.reduce(nil) { all, next in all.map { .and($0, next) } ?? next } ?? .true
    }

    package static func any(_ conditions: [Self]) -> Self {
        conditions.reduce(nil) { any, next in any.map { .or($0, next) } ?? next } ?? .false
    }

    package static let `nil` = QueryExpression.constant(.null)
    package static let `true` = QueryExpression.constant(.integer(1))
    package static let `false` = QueryExpression.constant(.integer(0))
}

extension QueryExpression {
    /// The models of the related records that the expression reads in addition to its own model.
    package var relatedModels: [ModelSchema] {
        switch self {
        case .related(let path, let condition): [path.model] + condition.relatedModels
        case .and(let left, let right), .or(let left, let right): left.relatedModels + right.relatedModels
        case .not(let condition): condition.relatedModels
        // A related condition occurs only at the top level or below these operators.
        default: []
        }
    }
}

extension QueryExpression {
    /// Returns the expressions that cannot be nil when this condition is true, or false, so that a forced unwrap is
    /// safe.
    func present(when outcome: Bool) -> Set<QueryExpression> {
        switch self {
        case .not(let condition): condition.present(when: !outcome)
        case .and(let left, let right) where outcome: left.present(when: true).union(right.present(when: true))
        case .or(let left, let right) where !outcome: left.present(when: false).union(right.present(when: false))
        case .equal(let left, .constant(let value)), .equal(.constant(let value), let left):
            value.isNull == outcome ? [] : [left]
        default: []
        }
    }
}

extension String {
    /// The groups of marks that people type in place of each other: phones type "’" where other keyboards type "'".
    private static let likeMarks: [[Unicode.Scalar]] = [
        ["'", "’", "‘", "ʼ", "´", "`"],
        ["\"", "“", "”", "„"],
        ["-", "\u{2010}", "\u{2011}", "–", "—", "−"],
    ]
    /// The largest number of spellings, each of which is a condition. It suffices for two marks; further marks are
    /// searched unchanged.
    private static let mostSpellings = 36

    /// The text itself, followed by its variants with other apostrophes, quotes and dashes.
    ///
    /// Each variant is a separate condition, because an index contains the texts as they were stored.
    package var spellings: [String] {
        var spellings: [UnicodeScalarView] = [UnicodeScalarView()]
        for scalar in unicodeScalars {
            let others = Self.likeMarks.first { $0.contains(scalar) }?.filter { $0 != scalar } ?? []
            let ways = spellings.count * (others.count + 1) <= Self.mostSpellings ? [scalar] + others : [scalar]
            // The typed variant of each mark comes first.
            spellings = ways.flatMap { way in
                spellings.map { spelling in
                    var spelling = spelling
                    spelling.append(way)
                    return spelling
                }
            }
        }
        return spellings.map { String($0) }
    }
}

extension QueryExpression {
    /// Returns the condition that the property's text begins with any spelling of a text.
    package static func starts(property: String, withSpellingsOf text: String) -> QueryExpression {
        .any(text.spellings.map { .startsIgnoringCase(property: property, $0) })
    }
}
