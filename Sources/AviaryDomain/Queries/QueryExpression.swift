package import Foundation

/// A predicate as data, without its Swift types.
///
/// Each case has a value as Swift would return it. Nil is a value like others: nil equals nil, and equals no text.
/// Texts are compared by their bytes, as they are stored.
package indirect enum QueryExpression: Sendable, Hashable {
    // MARK: Values

    case id
    /// A stored property of the model.
    case property(String)
    case constant(FieldValue)
    /// An exact number that is not yet one of a property's scale. Not in a finished query.
    case decimal(Decimal)
    /// The first unless it is nil, else the second.
    case coalesced(Self, Self)
    /// The second where the first is not nil, else nil.
    case ifPresent(Self, Self)
    case conditional(Self, then: Self, else: Self)
    /// The value that represents each stored choice.
    case mapped(Self, [FieldValue: FieldValue])
    case arithmetic(Arithmetic, Number, Self, Self)
    case negative(Number, Self)
    /// A text as it is searched, `String.folded`.
    case folded(Self)
    /// The value under the keys in a JSON value; nil where there is none.
    case json(Self, keys: [String])
    /// The number of elements of a list that is stored as JSON.
    case elementCount(Self)

    // MARK: Conditions

    case equal(Self, Self)
    /// A comparison that holds only when neither value is nil.
    case ordered(Ordering, Self, Self)
    case contains(Self, part: Self)
    case starts(Self, with: Self)
    /// A property's text begins so, without regard to the case of ASCII letters: what an index over texts can tell.
    case startsIgnoringCase(property: String, String)
    case isMember(Self, of: [FieldValue])
    /// A condition that a list that is stored as JSON contains the element.
    case hasElement(Self, Self)
    /// A related record is there of which the condition holds.
    case related(RelationPath, where: Self)
    /// The first; an error where the second does not hold.
    case checked(Self, where: Self)
    case and(Self, Self)
    case or(Self, Self)
    case not(Self)

    package enum Ordering: Sendable, Hashable {
        case less, lessOrEqual, greater, greaterOrEqual
    }

    package enum Arithmetic: Sendable, Hashable {
        /// The arithmetic operations. For the last two, the second number is a constant other than zero.
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
    /// The models whose records it looks at beside its own.
    package var relatedModels: [ModelSchema] {
        switch self {
        case .related(let path, let condition): [path.model] + condition.relatedModels
        case .and(let left, let right), .or(let left, let right): left.relatedModels + right.relatedModels
        case .not(let condition): condition.relatedModels
        // Only these stand above a condition that no predicate is made of.
        default: []
        }
    }
}

extension QueryExpression {
    /// Returns the expressions that cannot be nil where this condition holds, or does not hold, so that a forced unwrap
    /// is safe.
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
    /// Marks that are typed for each other: phones write "’" where other keyboards write "'".
    private static let likeMarks: [[Unicode.Scalar]] = [
        ["'", "’", "‘", "ʼ", "´", "`"],
        ["\"", "“", "”", "„"],
        ["-", "\u{2010}", "\u{2011}", "–", "—", "−"],
    ]
    /// Each is a question to the store: enough for two marks. Of more, those behind are looked for as they stand.
    private static let mostSpellings = 36

    /// The text with the apostrophes, quotes and dashes that others may have written in it; itself comes first.
    ///
    /// Asked for one by one, since what an index holds is the text as it was stored.
    package var spellings: [String] {
        var spellings: [UnicodeScalarView] = [UnicodeScalarView()]
        for scalar in unicodeScalars {
            let others = Self.likeMarks.first { $0.contains(scalar) }?.filter { $0 != scalar } ?? []
            let ways = spellings.count * (others.count + 1) <= Self.mostSpellings ? [scalar] + others : [scalar]
            // The way it is written comes first, of each mark.
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
    /// The property's text begins so, with whichever marks.
    package static func starts(property: String, withSpellingsOf text: String) -> QueryExpression {
        .any(text.spellings.map { .startsIgnoringCase(property: property, $0) })
    }
}
