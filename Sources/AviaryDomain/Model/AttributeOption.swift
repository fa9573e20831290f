/// What `@Attribute` can say of a property.
///
/// ```swift
/// @Attribute(.unique, .required, .length(1...80)) var name: String
/// @Attribute(.range(0...)) var legs: Int
/// @Attribute(.pattern("[A-Z]{2}-[0-9]+", hint: "a code such as AB-12")) var code: String?
/// ```
///
/// An option that does not fit its property, such as `.length` on a number, is a ``SchemaError`` when the application
/// starts; where `@Model` can see it, the compiler says so.
public enum AttributeOption: Sendable, Hashable {
    /// No two records hold the same value; a second one is refused, never overwritten. Any number may hold none.
    case unique
    /// A text must not be empty or only blanks; an optional must have a value.
    case required
    /// The file has an index over the property, so that conditions on it and orders by it do not look at every record.
    case indexed
    /// A text that nobody is shown: a password of another system, an access key.
    ///
    /// It is in no page, no list, no draft, no log and no CSV file. The history tells that it changed, and not to what; in
    /// a snapshot it is only when asked for. The editor shows an empty field: left empty, the stored value stays. The value
    /// stands in the store's file as it is.
    case secret
    /// Words in the text are found by searching, also inside of longer words.
    case fullText
    /// What the property was called before: its values move to the new name.
    ///
    /// ```swift
    /// @Attribute(.originalName("title")) var name: String
    /// ```
    case originalName(String)
    /// How many digits a `Decimal` has behind its point, 0 to 18.
    case scale(Int)
    /// How long a text may be; written `.length(1...80)`.
    case length(within: LengthBounds)
    /// How small and large a number may be; written `.range(0...)`.
    case range(within: NumberBounds)
    /// A regular expression of Swift's, without the slashes, that the whole text must match.
    ///
    /// Such a text has at most 1,000 bytes. The time that a match takes depends on the pattern: keep from repeating what
    /// repeats itself, as in `(a+)+`.
    ///
    /// - Parameters:
    ///   - hint: What to write, for the sentence "Write … .": `a code such as AB-12`.
    case pattern(String, hint: String? = nil)
}

extension AttributeOption {
    /// The text has a length within the range, counted in characters as a reader sees them (Swift's `Character`):
    /// "é" and "👩‍👩‍👧" are one each, however they are encoded.
    ///
    /// ```swift
    /// @Attribute(.length(1...80)) var name: String
    /// ```
    public static func length(_ characters: ClosedRange<Int>) -> AttributeOption {
        .length(within: LengthBounds(least: characters.lowerBound, most: characters.upperBound))
    }

    /// The text has at least as many characters, as in `.length(2...)`.
    public static func length(_ characters: PartialRangeFrom<Int>) -> AttributeOption {
        .length(within: LengthBounds(least: characters.lowerBound, most: nil))
    }

    /// The text has at most as many characters, as in `.length(...80)`.
    public static func length(_ characters: PartialRangeThrough<Int>) -> AttributeOption {
        .length(within: LengthBounds(least: 0, most: characters.upperBound))
    }

    /// The number is within the range: of a whole number, a `Double`, a `Float` or a `Decimal`.
    ///
    /// ```swift
    /// @Attribute(.range(0...1)) var share: Double
    /// ```
    public static func range<Bound: NumberBound>(_ numbers: ClosedRange<Bound>) -> AttributeOption {
        .range(within: NumberBounds(least: numbers.lowerBound.decimal, most: numbers.upperBound.decimal))
    }

    /// The number is as large or larger, as in `.range(0...)`.
    public static func range<Bound: NumberBound>(_ numbers: PartialRangeFrom<Bound>) -> AttributeOption {
        .range(within: NumberBounds(least: numbers.lowerBound.decimal, most: nil))
    }

    /// The number is as small or smaller, as in `.range(...100)`.
    public static func range<Bound: NumberBound>(_ numbers: PartialRangeThrough<Bound>) -> AttributeOption {
        .range(within: NumberBounds(least: nil, most: numbers.upperBound.decimal))
    }
}

extension AttributeOption {
    /// The word for it in the source, by which a snapshot and messages name it.
    package var name: String {
        switch self {
        case .unique: "unique"
        case .required: "required"
        case .indexed: "indexed"
        case .secret: "secret"
        case .fullText: "fullText"
        case .originalName: "originalName"
        case .scale: "scale"
        case .length: "length"
        case .range: "range"
        case .pattern: "pattern"
        }
    }
}
