/// A rule or an index for a property, declared with `@Attribute`.
///
/// ```swift
/// @Attribute(.unique, .required, .length(1...80)) var name: String
/// @Attribute(.range(0...)) var legs: Int
/// @Attribute(.pattern("[A-Z]{2}-[0-9]+", hint: "a code such as AB-12")) var code: String?
/// ```
///
/// An option that does not fit its property, such as `.length` on a number, is a ``SchemaError`` when the application
/// starts. If the macro `@Model` can detect it, it is a compiler error.
public enum AttributeOption: Sendable, Hashable {
    /// A rule that no two records have the same value. The store rejects a second record; it never overwrites the
    /// first. Any number of records may have no value.
    case unique
    /// A rule that a string must not be empty or blank, and that an optional must have a value.
    case required
    /// An index over the property. Queries that filter or sort by the property then do not scan every record.
    case indexed

    /// A rule that nobody can see the string, for a password of another system or an access key.
    ///
    /// The value appears in no page, list, draft, log or CSV file. The history records that it changed, but not its
    /// values. A snapshot contains it only on request. The editor shows an empty field; if it stays empty, the
    /// stored value does not change. The value is stored unencrypted in the store's file.
    case secret
    /// A text index over a string, with which a search finds any part of the text.
    ///
    /// The text that is the title of a model's records has the index without this option. ``notFullText`` takes it away.
    case fullText
    /// A rule that a string has no text index although it is the title of its model's records.
    ///
    /// The index takes space and time for every record. Without it, the list's search covers the title only where
    /// `ModelAdmin.search` names it, and finds the beginning of the text.
    ///
    /// ```swift
    /// @Attribute(.required, .notFullText) var report: String
    /// ```
    case notFullText

    /// The former name of the property, so that its values move to the new name.
    ///
    /// ```swift
    /// @Attribute(.originalName("title")) var name: String
    /// ```
    case originalName(String)
    /// The number of digits that a `Decimal` has after the decimal point, from 0 to 18.
    case scale(Int)
    /// The bounds of the length of a string, in characters. Write it as `.length(1...80)`.
    case length(within: LengthBounds)
    /// The bounds of a number. Write it as `.range(0...)`.
    case range(within: NumberBounds)

    /// A Swift regular expression, without the slashes, that the whole string must match.
    ///
    /// The rule limits the string to 1,000 bytes. A match examines each character once, so its time does not grow
    /// exponentially with nested repetition, such as `(a+)+`. A pattern that requires backtracking is a ``SchemaError``
    /// when the application starts: look-around, back-references, `\b` and possessive quantifiers. So is a pattern
    /// whose repetitions come to more than 4,000 steps.
    ///
    /// - Parameters:
    ///   - hint: A phrase that completes the sentence "Enter … .": `a code such as AB-12`.
    case pattern(String, hint: String? = nil)
}

extension AttributeOption {
    /// Creates a rule that bounds the length of a string from below and above.
    ///
    /// ```swift
    /// @Attribute(.length(1...80)) var name: String
    /// ```
    ///
    /// - Parameter characters: The range of lengths, counted as Swift `Character` values: "é" and "👩‍👩‍👧" are one each,
    ///   whatever their encoding.
    public static func length(_ characters: ClosedRange<Int>) -> AttributeOption {
        .length(within: LengthBounds(least: characters.lowerBound, most: characters.upperBound))
    }

    /// Creates a rule that bounds the length of a string from below and above, without the upper bound.
    ///
    /// ```swift
    /// @Attribute(.length(1..<81)) var name: String  // up to 80 characters
    /// ```
    ///
    /// - Parameter characters: The range of lengths, counted as Swift `Character` values.
    public static func length(_ characters: Range<Int>) -> AttributeOption {
        .length(within: LengthBounds(least: characters.lowerBound, most: characters.upperBound.previous))
    }

    /// Creates a rule that bounds the length of a string from below, such as `.length(2...)`.
    ///
    /// - Parameter characters: The range of lengths, counted as Swift `Character` values.
    public static func length(_ characters: PartialRangeFrom<Int>) -> AttributeOption {
        .length(within: LengthBounds(least: characters.lowerBound, most: nil))
    }

    /// Creates a rule that bounds the length of a string from above, such as `.length(...80)`.
    ///
    /// - Parameter characters: The range of lengths, counted as Swift `Character` values.
    public static func length(_ characters: PartialRangeThrough<Int>) -> AttributeOption {
        .length(within: LengthBounds(least: 0, most: characters.upperBound))
    }

    /// Creates a rule that bounds the length of a string from above, without the bound, such as `.length(..<81)`.
    ///
    /// - Parameter characters: The range of lengths, counted as Swift `Character` values.
    public static func length(_ characters: PartialRangeUpTo<Int>) -> AttributeOption {
        .length(within: LengthBounds(least: 0, most: characters.upperBound.previous))
    }

    /// Creates a rule that bounds a number from below and above.
    ///
    /// ```swift
    /// @Attribute(.range(0...1)) var share: Double
    /// ```
    ///
    /// The property is an integer, a `Double`, a `Float` or a `Decimal`.
    ///
    /// - Parameter numbers: The range of values.
    public static func range<Bound: NumberBound>(_ numbers: ClosedRange<Bound>) -> AttributeOption {
        .range(within: NumberBounds(least: numbers.lowerBound.decimal, most: numbers.upperBound.decimal))
    }

    /// Creates a rule that bounds a number from below, such as `.range(0...)`.
    ///
    /// - Parameter numbers: The range of values.
    public static func range<Bound: NumberBound>(_ numbers: PartialRangeFrom<Bound>) -> AttributeOption {
        .range(within: NumberBounds(least: numbers.lowerBound.decimal, most: nil))
    }

    /// Creates a rule that bounds a number from above, such as `.range(...100)`.
    ///
    /// - Parameter numbers: The range of values.
    public static func range<Bound: NumberBound>(_ numbers: PartialRangeThrough<Bound>) -> AttributeOption {
        .range(within: NumberBounds(least: nil, most: numbers.upperBound.decimal))
    }

    /// Creates a rule that bounds an integer from below and above, without the upper bound.
    ///
    /// ```swift
    /// @Attribute(.range(0..<24)) var hour: Int  // 0 to 23
    /// ```
    ///
    /// The property is an integer. For a `Double`, a `Float` or a `Decimal`, the rule is a ``SchemaError`` when the
    /// application starts, because no such number is the last before a bound: write a closed range, and exclude its end
    /// in ``Model/validate()``.
    ///
    /// - Parameter numbers: The range of values.
    public static func range(_ numbers: Range<Int>) -> AttributeOption {
        .range(within: NumberBounds(integersFrom: numbers.lowerBound, below: numbers.upperBound))
    }

    /// Creates a rule that bounds an integer from above, without the bound, such as `.range(..<100)`.
    ///
    /// The property is an integer, as for a range with two bounds.
    ///
    /// - Parameter numbers: The range of values.
    public static func range(_ numbers: PartialRangeUpTo<Int>) -> AttributeOption {
        .range(within: NumberBounds(integersFrom: nil, below: numbers.upperBound))
    }

    /// Rejects a half-open range of other numbers than integers at compile time.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "no number is the last before a bound: write a closed range such as 0...24, and exclude its end in validate()"
    )
    public static func range<Bound: NumberBound>(_ numbers: Range<Bound>) -> AttributeOption {
        .range(within: NumberBounds(least: numbers.lowerBound.decimal, most: numbers.upperBound.decimal))
    }

    /// Rejects a half-open range of other numbers than integers at compile time.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "no number is the last before a bound: write a closed range such as ...24, and exclude its end in validate()"
    )
    public static func range<Bound: NumberBound>(_ numbers: PartialRangeUpTo<Bound>) -> AttributeOption {
        .range(within: NumberBounds(least: nil, most: numbers.upperBound.decimal))
    }
}

extension Int {
    /// The integer before this one; the smallest integer for itself, before which there is none.
    fileprivate var previous: Int { self == .min ? .min : self - 1 }
}

extension AttributeOption {
    /// The name of the option in the source, which snapshots and messages use.
    package var name: String {
        switch self {
        case .unique: "unique"
        case .required: "required"
        case .indexed: "indexed"
        case .secret: "secret"
        case .fullText: "fullText"
        case .notFullText: "notFullText"
        case .originalName: "originalName"
        case .scale: "scale"
        case .length: "length"
        case .range: "range"
        case .pattern: "pattern"
        }
    }
}
