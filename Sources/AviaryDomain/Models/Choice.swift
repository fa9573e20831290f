/// An enum whose cases an editor chooses from. The store keeps the raw value, and the admin shows a label.
///
/// ```swift
/// enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }
/// enum Rating: Int, Choice { case poor = 1, fair, good }
/// ```
///
/// The labels of a string-backed enum are derived from the raw values, those of an integer-backed enum from the names
/// of the cases, unless the enum declares its ``label``. The store sorts an integer-backed enum by number and a
/// string-backed enum by string.
public protocol Choice: RawRepresentable, CaseIterable, Codable, Hashable, StoredValue where RawValue: ChoiceRawValue {
    /// The label of the case in the admin, in English or in the application's first language.
    ///
    /// ```swift
    /// enum Status: String, Choice {
    ///     case open, inProgress, done
    ///
    ///     var label: String {
    ///         switch self {
    ///         case .open: "To do"
    ///         case .inProgress: "Under way"
    ///         case .done: "Done"
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Lists, filters, sheets and charts show it, in the language of the page when ``AviaryApp/languages`` has a
    /// translation of it. Exports have the raw value. The admin reads the labels once, when the program starts. Two
    /// cases with the same label, or a case with an empty one, are an error then.
    var label: String { get }
}

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

    /// The label that is derived from the raw value, or for an integer from the name of the case.
    public var label: String { derivedLabel }

    private var derivedLabel: String {
        RawValue.choiceLabels(cases: ["\(self)"])?.first ?? TextFormatter.choiceLabel("\(rawValue)")
    }

    /// The labels of the cases.
    public static var traits: StoredValueTraits {
        var traits = StoredValueTraits()
        traits.choiceLabels = allCases.map(\.label)
        traits.mistake = labelMistake
        return traits
    }

    /// The mistake in the labels that the enum declares, as the end of a sentence that begins with a property's name.
    ///
    /// Derived labels may be equal, because raw values can differ in capitals and signs only.
    private static var labelMistake: String? {
        let labels = allCases.map(\.label)
        for choice in allCases where choice.label != choice.derivedLabel {
            let label = choice.label
            if label.isBlank { return "has a choice with an empty label. Give each case of \(self) a label." }
            guard labels.count(where: { $0 == label }) > 1 else { continue }
            return "has two choices with the label \"\(label)\". Give each case of \(self) a label of its own."
        }
        return nil
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
