/// The rules for a property's values from `@Attribute`, taken out of the set once, because every write needs them.
package struct ValueRules: Sendable {
    let length: LengthBounds?
    let range: NumberBounds?
    package let pattern: TextPattern?

    init(_ attributes: Set<AttributeOption>) {
        var length: LengthBounds?
        var range: NumberBounds?
        var pattern: TextPattern?
        for attribute in attributes {
            switch attribute {
            case .length(let bounds): length = bounds
            case .range(let bounds): range = bounds
            case .pattern(let text, let hint): pattern = TextPattern(text, hint: hint)
            case .unique, .required, .indexed, .secret, .fullText, .originalName, .scale: break
            }
        }
        self.length = length
        self.range = range
        self.pattern = pattern
    }

    /// Returns the advice for a value that breaks a rule; nil for one that keeps them.
    func problem(with value: FieldValue, of type: PropertyType) -> String? {
        switch value {
        case .text(let text): length?.problem(with: text) ?? pattern?.problem(with: text)
        case .integer(let number): range?.problem(with: type.decimal(number))
        case .real(let number): range?.problem(with: number)
        case .null, .blob: nil
        }
    }
}
