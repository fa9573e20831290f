/// What `@Attribute` says of a property's values, taken out of the set once: every write asks.
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

    /// What to do instead; nil for a value that keeps the rules.
    func problem(with value: FieldValue, of type: PropertyType) -> String? {
        switch value {
        case .text(let text): length?.problem(with: text) ?? pattern?.problem(with: text)
        case .integer(let number): range?.problem(with: type.decimal(number))
        case .real(let number): range?.problem(with: number)
        case .null, .blob: nil
        }
    }
}
