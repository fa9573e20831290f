package import Foundation

/// What is asked of a record, as data: a predicate without its Swift types. Each case has a value as Swift would give it,
/// and nil is a value like others: nil equals nil, and is not equal to any text.
///
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
    /// What stands for each stored choice.
    case mapped(Self, [FieldValue: FieldValue])
    case arithmetic(Arithmetic, Number, Self, Self)
    case negative(Number, Self)
    /// A text as it is searched, `String.folded`.
    case folded(Self)
    /// What stands under the keys in a value that is stored as JSON; nil where there is nothing.
    case json(Self, keys: [String])
    /// Of a list that is stored as JSON.
    case elementCount(Self)

    // MARK: Conditions

    case equal(Self, Self)
    /// Neither of them is nil.
    case ordered(Ordering, Self, Self)
    case contains(Self, part: Self)
    case starts(Self, with: Self)
    /// A property's text begins so, without regard to the case of ASCII letters: what an index over texts can tell.
    case startsIgnoringCase(property: String, String)
    case isMember(Self, of: [FieldValue])
    /// Whether a list that is stored as JSON has the element.
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
        /// Of the last two, the second number is a constant and not zero.
        case add, subtract, multiply, divide, remainder
    }

    /// What is calculated with.
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
