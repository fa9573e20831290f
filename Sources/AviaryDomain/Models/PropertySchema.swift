/// The name, the type and the options of a property of a model.
///
/// It is a class, because it has twenty constants, and each record that is checked or shown reads some of them. A
/// structure would be copied each time.
public final class PropertySchema: Sendable {
    /// The name of the property.
    public let name: String
    /// The type of the property, without its optionality.
    public let type: PropertyType
    /// Indicates whether the property may be nil.
    public let isOptional: Bool
    /// The options of `@Attribute`.
    public let attributes: Set<AttributeOption>
    /// Indicates whether no two records may have the same value.
    public let isUnique: Bool
    /// Indicates whether the file has an index over the property.
    public let isIndexed: Bool
    /// Indicates whether the value is never shown.
    public let isSecret: Bool
    /// Indicates whether the property is declared ``AttributeOption/fullText``.
    public let isFullText: Bool
    /// The former name of the property; nil when it has none.
    public let originalName: String?
    /// The declared number of digits of a `Decimal` after the decimal point; nil when none is declared.
    public let scale: Int?
    package let keyPath: any AnyKeyPath & Sendable
    package let relationship: RelationshipOptions?
    package let makeDefault: (@Sendable () -> FieldValue)?
    /// The characteristics of the values that the type does not describe.
    package let traits: StoredValueTraits

    /// The rules for the values from `@Attribute`.
    let rules: ValueRules
    /// Indicates whether a text must not be blank, and an optional must not be nil.
    let isMandatory: Bool

    /// The label of the property: `Clutch size` for `clutchSize`, or the label that the admin declares.
    package var label: String { englishLabel.translated }
    private let englishLabel: String
    /// The labels of a choice, in the order of its cases: `Herbivorous` for `herbivorous`.
    package var choiceLabels: [String] {
        Language.current == nil ? englishChoiceLabels : englishChoiceLabels.map(\.translated)
    }
    private let englishChoiceLabels: [String]

    package init(
        name: String, type: PropertyType, isOptional: Bool, attributes: Set<AttributeOption>,
        keyPath: any AnyKeyPath & Sendable, relationship: RelationshipOptions?,
        makeDefault: (@Sendable () -> FieldValue)?, traits: StoredValueTraits = StoredValueTraits(),
        label: String? = nil
    ) {
        self.name = name
        let scale = AttributeOption.scale(in: attributes)
        self.type = scale.map(type.scaled) ?? type
        self.scale = scale
        self.isOptional = isOptional
        self.attributes = attributes
        isUnique = attributes.contains(.unique)
        isIndexed = attributes.contains(.indexed)
        isSecret = attributes.contains(.secret)
        isFullText = attributes.contains(.fullText)
        isMandatory = attributes.contains(.required)
        originalName =
            relationship?.originalName
            ?? attributes.lazy.compactMap { if case .originalName(let name) = $0 { name } else { nil } }.first
        rules = ValueRules(attributes)
        self.keyPath = keyPath
        self.relationship = relationship
        self.makeDefault = makeDefault
        self.traits = traits
        englishLabel =
            label
            ?? TextFormatter.capitalized(TextFormatter.split(name).map { $0.lowercased() }.joined(separator: " "))
        englishChoiceLabels =
            traits.choiceLabels ?? (type.choices ?? type.element?.choices ?? []).map(TextFormatter.choiceLabel)
    }

    /// Returns a copy of the property with another label.
    package func labelled(_ label: String) -> PropertySchema {
        copy(with: attributes, label: label)
    }

    /// The label in the middle of a sentence: `clutch size`, but `ISBN` unchanged.
    package var labelInSentence: String { TextFormatter.lowercased(label) }

    /// The noun for a value that somebody chooses.
    ///
    /// The noun is the label, except for a reference whose label does not name the model: `category` for a reference
    /// `category` to an `AnimalCategory`, and `storage place` for a reference `from` to a `StoragePlace`.
    package var noun: String {
        guard let model = type.model else { return labelInSentence }
        let words = ModelNames.words(of: model)
        let lastWord = { (text: String) in text.lowercased().split(separator: " ").last }
        return lastWord(englishLabel) == lastWord(words) ? labelInSentence : words.translated
    }

    /// Indicates whether an editor must give a value.
    ///
    /// It is true for a property declared as required, and for one that is not optional and whose type has no empty
    /// value. A text has an empty value.
    package var isRequired: Bool {
        isMandatory || (!isOptional && type.emptyValue == nil)
    }

    /// The initial value in a new record: the declared default, or else the empty value. A property without either has
    /// none, and a choice is among these: nobody chose its first case.
    package var defaultValue: FieldValue {
        if let makeDefault { return makeDefault() }
        if isOptional { return .null }
        if type == .boolean { return .integer(0) }
        return type.emptyValue ?? .null
    }
}

extension PropertySchema {
    /// Returns the mistake in the property's options, as the end of a sentence that begins with its name; nil when
    /// there is none.
    func attributeMistake(in model: ModelSchema) -> String? {
        if let mistake = traits.mistake { return mistake }
        var names: Set<String> = []
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            guard names.insert(attribute.name).inserted else {
                return "has .\(attribute.name) twice. Keep one."
            }
            if let kind = validationProblem(of: attribute) {
                return "has .\(attribute.name), which is for \(kind). Remove it."
            }
            if let mistake = mistake(in: attribute) { return mistake }
        }
        if isSecret, isFullText {
            return "is .secret and .fullText. What nobody is shown cannot be searched: remove one."
        }
        if isFullText, attributes.contains(.notFullText) {
            return "is .fullText and .notFullText, which contradict each other. Remove one."
        }
        if isSecret, isUnique, !isOptional {
            return "is .secret and .unique. Make it optional: records of a snapshot without secrets have none."
        }
        return nil
    }

    /// Returns the types that the option is for when it does not fit the property's type; nil when it fits.
    private func validationProblem(of attribute: AttributeOption) -> String? {
        switch attribute {
        case .unique, .indexed, .required, .originalName: type.isStored ? nil : "what is stored"
        case .secret, .fullText, .notFullText, .length, .pattern: type == .string ? nil : "texts: String and String?"
        case .range: type.isNumber ? nil : "numbers"
        case .scale: type.isDecimal ? nil : "Decimal"
        }
    }

    private func mistake(in attribute: AttributeOption) -> String? {
        switch attribute {
        case .length(let bounds): bounds.mistake.map { "\($0): .length(1...80) is from one to eighty characters." }
        case .range(let bounds): bounds.mistake(for: type)
        case .pattern(let pattern, _):
            rules.pattern?.mistake.map { "has the pattern \"\(pattern)\", which \($0)." }
        case .originalName(let original):
            original.isEmpty ? "has an empty originalName. Give the name that the property had." : nil
        case .scale(let digits):
            PropertyType.scales.contains(digits)
                ? nil : "has a scale of \(digits) digits. A decimal has 0 to 18 digits behind its point."
        case .unique, .required, .indexed, .secret, .fullText, .notFullText: nil
        }
    }
}

extension PropertyType {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .sizedInteger, .double, .float, .decimal: true
        default: false
        }
    }

    /// Indicates whether the type is a decimal, or a list of decimals.
    fileprivate var isDecimal: Bool { scaled(0) != scaled(1) }
}

extension PropertySchema {
    /// Returns a copy of the property with additional options.
    package func adding(_ options: [AttributeOption]) -> PropertySchema {
        attributes.isSuperset(of: options) ? self : copy(with: attributes.union(options), label: englishLabel)
    }

    fileprivate func copy(with attributes: Set<AttributeOption>, label: String) -> PropertySchema {
        PropertySchema(
            name: name, type: type, isOptional: isOptional, attributes: attributes, keyPath: keyPath,
            relationship: relationship, makeDefault: makeDefault, traits: traits, label: label)
    }
}
