public import Foundation

/// The rules for a property's values from `@Attribute`. They are extracted from the set once, because every write
/// needs them.
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
            case .unique, .required, .indexed, .secret, .fullText, .notFullText, .originalName, .scale: break
            }
        }
        self.length = length
        self.range = range
        self.pattern = pattern
    }

    /// Returns the advice for a value that violates a rule; nil for a value that satisfies all rules.
    func problem(with value: FieldValue, of type: PropertyType) -> String? {
        switch value {
        case .text(let text): length?.problem(with: text) ?? pattern?.problem(with: text)
        case .integer(let number): range?.problem(with: type.decimal(number))
        case .real(let number): range?.problem(with: number)
        case .null, .blob: nil
        }
    }
}

/// The bounds of the length of a string, counted as Swift `Character` values. Write them as a range: `.length(1...80)`.
public struct LengthBounds: Sendable, Hashable {
    /// The smallest length.
    public let least: Int
    /// The largest length; nil for no upper bound.
    public let most: Int?

    package init(least: Int, most: Int?) {
        self.least = least
        self.most = most
    }
}

extension LengthBounds {
    /// Returns the advice for a text that does not fit; nil for one that fits.
    func problem(with text: String) -> String? {
        // A character has at least one byte, and counting characters takes a hundred times as long as counting
        // bytes.
        let bytes = text.utf8.count
        if bytes <= most ?? .max, least <= (bytes == 0 ? 0 : 1) { return nil }
        let count = text.count
        guard count < least || count > most ?? .max else { return nil }
        if let most, most == least {
            return localized(most, one: "Enter exactly 1 character.", other: "Enter exactly \(most) characters.")
        }
        if count < least {
            return localized(least, one: "Enter at least 1 character.", other: "Enter at least \(least) characters.")
        }
        return most.map { localized($0, one: "Enter at most 1 character.", other: "Enter at most \($0) characters.") }
    }

    /// The mistake in the bounds themselves; nil when there is none.
    var mistake: String? {
        if least < 0 { return "counts characters from below 0" }
        return most.map { $0 < least } ?? false ? "has a .length that no text can have" : nil
    }
}

/// The bounds of a number. Write them as a range: `.range(0...)`.
public struct NumberBounds: Sendable, Hashable {
    /// The smallest value; nil for no lower bound.
    public let least: Decimal?
    /// The largest value; nil for no upper bound.
    public let most: Decimal?
    /// Indicates whether the bounds were written as a half-open range, which only integers have.
    let isOfIntegers: Bool
    private let leastReal: Double
    private let mostReal: Double

    package init(least: Decimal?, most: Decimal?, isOfIntegers: Bool = false) {
        self.least = least
        self.most = most
        self.isOfIntegers = isOfIntegers
        // Convert through the text, which yields the nearest Double. The arithmetic of Decimal does not always do
        // so.
        leastReal = least.flatMap { Double($0.description) } ?? -.infinity
        mostReal = most.flatMap { Double($0.description) } ?? .infinity
    }
}

extension NumberBounds {
    /// Creates the bounds of a half-open range of integers.
    init(integersFrom least: Int?, below end: Int) {
        self.init(least: least?.decimal, most: end.decimal - 1, isOfIntegers: true)
    }

    /// Returns the advice for a number that does not fit; nil for one that fits.
    func problem(with number: Decimal) -> String? {
        let fits = least.map { number >= $0 } ?? true && most.map { number <= $0 } ?? true
        return fits ? nil : advice
    }

    func problem(with number: Double) -> String? {
        number >= leastReal && number <= mostReal ? nil : advice
    }

    /// Returns the mistake in the bounds themselves, or in their use for a type; nil when there is none.
    func mistake(for type: PropertyType) -> String? {
        if [least, most].contains(where: { $0?.isNaN == true }) {
            return "has a bound that no Decimal can hold. Leave the bound out."
        }
        if let least, let most, most < least {
            return "has a .range that contains no number. Write its smallest and its largest number: .range(0...9)."
        }
        switch type {
        case .double, .float, .decimal:
            return isOfIntegers
                ? "has a half-open .range, which is for integers: no other number is the last before a bound. Write a closed range such as .range(0...24), and exclude its end in validate()."
                : nil
        default: return nil
        }
    }

    private var advice: String {
        switch (least, most) {
        case (let least?, let most?): localized("Enter a number from \(Self.text(least)) to \(Self.text(most)).")
        case (let least?, nil): localized("Enter a number of at least \(Self.text(least)).")
        case (nil, let most?): localized("Enter a number of at most \(Self.text(most)).")
        case (nil, nil): ""
        }
    }

    private static func text(_ number: Decimal) -> String { NumberText.ungrouped("\(number)") }
}

/// A number that can be a bound of a range of numbers, such as `0` in `.range(0...)` and `0.5` in `.range(0.5...2)`.
public protocol NumberBound: Comparable, Sendable {
    /// The number as a `Decimal`, as it appears in the source; `nan` when a `Decimal` cannot represent it.
    var decimal: Decimal { get }
}

extension Int: NumberBound {
    public var decimal: Decimal { Decimal(self) }
}

extension Double: NumberBound {
    // Convert through the shortest text: 0.1 means a tenth, not the nearest binary fraction.
    public var decimal: Decimal { Decimal(string: description) ?? .nan }
}

extension Decimal: NumberBound {
    public var decimal: Decimal { self }
}
