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
