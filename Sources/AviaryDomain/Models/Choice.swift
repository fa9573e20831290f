/// An enum whose cases an editor chooses from. The store keeps the raw value, and the admin shows a label.
///
/// ```swift
/// enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }
/// enum Rating: Int, Choice { case poor = 1, fair, good }
/// ```
///
/// The labels of a string-backed enum are derived from the raw values, those of an integer-backed enum from the names
/// of the cases. The store sorts an integer-backed enum by number and a string-backed enum by string.
public protocol Choice: RawRepresentable, CaseIterable, Codable, Hashable, StoredValue where RawValue: ChoiceRawValue {}

/// A raw value of a ``Choice`` that a column can hold: `String` and `Int`.
public protocol ChoiceRawValue: StoredValue, Codable, Hashable {
    /// Returns the type of a property that holds one of the given raw values.
    ///
    /// - Parameter choices: The raw values, in the order of the cases.
    static func propertyType(choices: [Self]) -> PropertyType

    /// Returns the labels that the admin shows, derived from the names of the cases.
    ///
    /// - Parameter cases: The names of the cases, in their order.
    /// - Returns: The labels; nil when the labels are derived from the raw values.
    static func choiceLabels(cases: [String]) -> [String]?
}

extension String: ChoiceRawValue {
    public static func propertyType(choices: [String]) -> PropertyType { .choice(choices) }
    public static func choiceLabels(cases: [String]) -> [String]? { nil }
}

extension Int: ChoiceRawValue {
    public static func propertyType(choices: [Int]) -> PropertyType { .integerChoice(choices) }
    public static func choiceLabels(cases: [String]) -> [String]? { cases.map(AviaryDomain.TextFormatter.choiceLabel) }
}

extension Choice {
    /// The type of a column of these values: a choice of the raw values of all cases.
    public static var propertyType: PropertyType {
        RawValue.propertyType(choices: allCases.map(\.rawValue))
    }

    /// The labels of the cases when the raw values do not provide them.
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

    /// The column value: the raw value.
    public var fieldValue: FieldValue { rawValue.fieldValue }
}
