/// An enum whose cases an editor picks from: stored as its raw value, shown in words.
///
/// ```swift
/// enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }
/// enum Rating: Int, Choice { case poor = 1, fair, good }
/// ```
///
/// With texts as raw values the words are made of these, with integers of the names of the cases. An enum of integers is
/// sorted by its numbers, one of texts by its texts.
public protocol Choice: RawRepresentable, CaseIterable, Codable, Hashable, StoredValue where RawValue: ChoiceRawValue {}

/// What a ``Choice`` can be stored as: `String` and `Int`.
public protocol ChoiceRawValue: StoredValue, Codable, Hashable {
    /// The type of a property that holds one of these.
    static func propertyType(choices: [Self]) -> PropertyType
    /// What people read, made of the cases' names. Nil where the raw values say it.
    static func choiceLabels(cases: [String]) -> [String]?
}

extension String: ChoiceRawValue {
    public static func propertyType(choices: [String]) -> PropertyType { .choice(choices) }
    public static func choiceLabels(cases: [String]) -> [String]? { nil }
}

extension Int: ChoiceRawValue {
    public static func propertyType(choices: [Int]) -> PropertyType { .integerChoice(choices) }
    public static func choiceLabels(cases: [String]) -> [String]? { cases.map(AviaryDomain.Words.choiceLabel) }
}

extension Choice {
    public static var propertyType: PropertyType {
        RawValue.propertyType(choices: allCases.map(\.rawValue))
    }

    public static var traits: StoredValueTraits {
        var traits = StoredValueTraits()
        traits.choiceLabels = RawValue.choiceLabels(cases: allCases.map { "\($0)" })
        return traits
    }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard let raw = try? RawValue(fieldValue: fieldValue) else {  // which kind was expected says less than this
            throw .typeMismatch(expected: "a choice")
        }
        guard let value = Self(rawValue: raw) else { throw .unknownChoice }
        self = value
    }

    public var fieldValue: FieldValue { rawValue.fieldValue }
}
