extension PropertySchema {
    /// Returns the mistake in the property's options, as the end of a sentence that begins with its name; nil when
    /// there is none.
    func attributeMistake(in model: ModelSchema) -> String? {
        var names: Set<String> = []
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            guard names.insert(attribute.name).inserted else {
                return "has .\(attribute.name) twice. Keep one."
            }
            if let kind = misfit(of: attribute) {
                return "has .\(attribute.name), which is for \(kind). Remove it."
            }
            if let mistake = mistake(in: attribute) { return mistake }
        }
        if isSecret, isFullText {
            return "is .secret and .fullText. What nobody is shown cannot be searched: remove one."
        }
        if isSecret, isUnique, !isOptional {
            return "is .secret and .unique. Make it optional: records of a snapshot without secrets have none."
        }
        return nil
    }

    /// Returns the types that the option is for when it does not fit the property's type; nil when it fits.
    private func misfit(of attribute: AttributeOption) -> String? {
        switch attribute {
        case .unique, .indexed, .required, .originalName: type.isStored ? nil : "what is stored"
        case .secret, .fullText, .length, .pattern: type == .string ? nil : "texts: String and String?"
        case .range: type.isNumber ? nil : "numbers"
        case .scale: type.isDecimal ? nil : "Decimal"
        }
    }

    private func mistake(in attribute: AttributeOption) -> String? {
        switch attribute {
        case .length(let bounds): bounds.mistake.map { "\($0): .length(1...80) is from one to eighty characters." }
        case .range(let bounds): bounds.mistake.map { "\($0). Leave the bound out." }
        case .pattern(let pattern, _):
            rules.pattern?.mistake.map { "has the pattern \"\(pattern)\", which \($0)." }
        case .originalName(let original):
            original.isEmpty ? "has an empty originalName. Give the name that the property had." : nil
        case .scale(let digits):
            PropertyType.scales.contains(digits)
                ? nil : "has a scale of \(digits) digits. A decimal has 0 to 18 digits behind its point."
        case .unique, .required, .indexed, .secret, .fullText: nil
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

    /// A Boolean value that indicates whether the type is a decimal, or a list of decimals.
    fileprivate var isDecimal: Bool { scaled(0) != scaled(1) }
}

extension PropertySchema {
    /// The property with more options.
    package func adding(_ options: [AttributeOption]) -> PropertySchema {
        guard !attributes.isSuperset(of: options) else { return self }
        return PropertySchema(
            name: name, type: type, isOptional: isOptional, attributes: attributes.union(options), keyPath: keyPath,
            relationship: relationship, makeDefault: makeDefault, traits: traits
        ).labelled(label)
    }
}
