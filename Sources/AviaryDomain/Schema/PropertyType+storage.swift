import Foundation

extension PropertyType {
    /// The greatest number of bytes of a `Data` value: 64 KiB.
    ///
    /// This is enough for a thumbnail, a key or a checksum. Keep larger data in a file, and its name in the record.
    public static var longestData: Int { 65_536 }
    /// The number of digits of a `Decimal` after the decimal point, unless the property declares another.
    public static var defaultScale: Int { 2 }
    /// The possible numbers of digits of a `Decimal` after the decimal point. A column holds 18 digits.
    public static var scales: ClosedRange<Int> { 0...18 }

    /// The storage class of a column.
    package enum Storage: Sendable {
        case integer, real, text, blob
    }

    package var storage: Storage {
        switch self {
        case .boolean, .integer, .sizedInteger, .decimal, .integerChoice: .integer
        case .double, .float: .real
        case .data: .blob
        case .string, .date, .calendarDate, .uuid, .url, .choice, .json, .array, .toOne, .toMany: .text
        }
    }

    /// A Boolean value that indicates whether the order of the stored values is meaningful to a person.
    package var isSortable: Bool {
        switch self {
        case .string, .boolean, .integer, .sizedInteger, .double, .float, .decimal, .date, .calendarDate, .uuid, .url,
            .choice, .integerChoice:
            true
        case .data, .json, .array, .toOne, .toMany: false
        }
    }

    /// The whole numbers that fit; nil of what is no whole number.
    package var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer: Int64.min...Int64.max
        case .sizedInteger(let width): width.range
        default: nil
        }
    }

    /// The raw values of a choice as texts, in the order of its cases; nil of any other type.
    package var choices: [String]? {
        switch self {
        case .choice(let choices): choices
        case .integerChoice(let choices): choices.map(String.init)
        default: nil
        }
    }

    /// The choices, or those of an array's elements, where the other type may have such choices too.
    package func choices(comparedWith other: PropertyType) -> [String]? {
        if let element, let otherElement = other.element { return element.choices(comparedWith: otherElement) }
        return storage == other.storage ? choices : nil
    }

    /// The type of an array's elements.
    package var element: PropertyType? {
        if case .array(let element) = self { element } else { nil }
    }

    /// Digits after the point; 0 of what has none.
    package var scale: Int {
        switch self {
        case .decimal(let scale): scale
        case .array(let element): element.scale
        default: 0
        }
    }

    /// The type with another scale, where it has one.
    package func scaled(_ scale: Int) -> PropertyType {
        switch self {
        case .decimal: .decimal(scale: scale)
        case .array(let element): .array(of: element.scaled(scale))
        default: self
        }
    }

    /// The value that means no value for this type: an empty text, no bytes, no elements; nil for other types.
    package var emptyValue: FieldValue? {
        switch self {
        case .string: .text("")
        case .data: .blob([])
        case .array: .text("[]")
        default: nil
        }
    }
}

extension AttributeOption {
    static func scale(in options: Set<AttributeOption>) -> Int? {
        options.lazy.compactMap { if case .scale(let digits) = $0 { digits } else { nil } }.first
    }
}

extension PropertyType {
    /// The number that an integer in a column stands for.
    func decimal(_ count: Int64) -> Decimal {
        Decimal(sign: count < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(count.magnitude))
    }
}
