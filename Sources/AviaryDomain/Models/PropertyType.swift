import Foundation

/// The type of a property, without its optionality.
public enum PropertyType: Sendable, Hashable {
    /// A string.
    case string
    /// A Boolean value.
    case boolean
    /// A signed 64-bit integer: `Int` and `Int64`.
    case integer
    /// An integer of another width, or an unsigned integer.
    case sizedInteger(IntegerWidth)
    /// A floating-point number of double precision.
    case double
    /// A floating-point number of single precision.
    case float
    /// An exact number with a fixed number of digits after the decimal point. The column holds an integer that counts
    /// units of the last digit.
    case decimal(scale: Int)
    /// A point in time, stored as RFC 3339 text in UTC.
    case date
    /// A date without a time.
    case calendarDate
    /// A UUID, stored as text.
    case uuid
    /// A sequence of at most ``longestData`` bytes.
    case data
    /// A URL, stored as text.
    case url
    /// A choice with strings as raw values.
    case choice([String])
    /// A choice with integers as raw values.
    case integerChoice([Int])
    /// A value of a `Codable` type, stored as JSON text.
    case json
    /// An array or set of values of one type, stored as a JSON array.
    indirect case array(of: PropertyType)
    /// A reference: the id of a record of the named model.
    case toOne(model: String)
    /// A to-many relation with the named model, which has no column.
    case toMany(model: String)
}

extension PropertyType {
    package var isStored: Bool {
        if case .toMany = self { false } else { true }
    }

    /// A stable name for schema descriptions and fingerprints.
    package var name: String {
        switch self {
        case .string: "string"
        case .boolean: "boolean"
        case .integer: "integer"
        case .sizedInteger(let width): width.rawValue
        case .double: "double"
        case .float: "float"
        case .decimal(let scale): "decimal(\(scale))"
        case .date: "date"
        case .calendarDate: "calendarDate"
        case .uuid: "uuid"
        case .data: "data"
        case .url: "url"
        case .choice(let choices): "choice(\(choices.map(Self.escaped).joined(separator: ",")))"
        case .integerChoice(let choices): "integerChoice(\(choices.map(String.init).joined(separator: ",")))"
        case .json: "json"
        case .array(let element): "array(\(element.name))"
        case .toOne(let model): "toOne(\(model))"
        case .toMany(let model): "toMany(\(model))"
        }
    }
}

extension PropertyType {
    /// Creates the type with a ``name``; nil when no type has it.
    package init?(name: String) {
        switch name {
        case "string": self = .string
        case "boolean": self = .boolean
        case "integer": self = .integer
        case "double": self = .double
        case "date": self = .date
        case "calendarDate": self = .calendarDate
        case "uuid": self = .uuid
        case "float": self = .float
        case "data": self = .data
        case "url": self = .url
        case "json": self = .json
        default:
            if let width = IntegerWidth(rawValue: name) {
                self = .sizedInteger(width)
                return
            }
            guard let open = name.firstIndex(of: "("), name.last == ")" else { return nil }
            let content = String(name[name.index(after: open)...].dropLast())
            switch name[..<open] {
            case "choice": self = .choice(Self.choices(content))
            case "integerChoice":
                let values = content.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
                guard !values.contains(nil) else { return nil }
                self = .integerChoice(values.compactMap(\.self))
            case "decimal":
                guard let scale = Int(content), Self.scales.contains(scale) else { return nil }
                self = .decimal(scale: scale)
            case "array":
                // A forged name can contain any number of parentheses, and each would be a recursive call.
                guard !content.hasPrefix(String(repeating: "array(", count: Self.deepestArray)),
                    let element = PropertyType(name: content)
                else { return nil }
                self = .array(of: element)
            case "toOne": self = .toOne(model: content)
            case "toMany": self = .toMany(model: content)
            default: return nil
            }
        }
    }

    /// The number of levels that an array of arrays can have.
    private static let deepestArray = 8

    // A raw value may contain any character, and the parser splits the name, which is one line, at its commas.
    private static func escaped(_ choice: String) -> String {
        var text = ""
        for scalar in choice.unicodeScalars {
            switch scalar {
            case "\\", ",": text.unicodeScalars.append(contentsOf: ["\\", scalar])
            case "\n": text.unicodeScalars.append(contentsOf: ["\\", "n"])
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func choices(_ content: String) -> [String] {
        var choices = [""]
        var isEscaped = false
        for character in content.unicodeScalars {
            if isEscaped {
                choices[choices.count - 1].unicodeScalars.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "," {
                choices.append("")
            } else {
                choices[choices.count - 1].unicodeScalars.append(character)
            }
        }
        return choices
    }
}

/// The integer types whose range is smaller than that of a column, and the unsigned integer types.
public enum IntegerWidth: String, Sendable, Hashable, CaseIterable {
    /// The type `Int8`.
    case int8
    /// The type `Int16`.
    case int16
    /// The type `Int32`.
    case int32
    /// The type `UInt8`.
    case uint8
    /// The type `UInt16`.
    case uint16
    /// The type `UInt32`.
    case uint32
    /// The types `UInt` and `UInt64`. A column holds signed 64-bit integers, so values above `Int64.max` cannot be
    /// stored.
    case uint64

    /// The range of values of this type that a column can hold.
    public var range: ClosedRange<Int64> {
        switch self {
        case .int8: Int64(Int8.min)...Int64(Int8.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .uint8: 0...Int64(UInt8.max)
        case .uint16: 0...Int64(UInt16.max)
        case .uint32: 0...Int64(UInt32.max)
        case .uint64: 0...Int64.max
        }
    }
}

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

    /// Indicates whether the order of the stored values is meaningful to a person.
    package var isSortable: Bool {
        switch self {
        case .string, .boolean, .integer, .sizedInteger, .double, .float, .decimal, .date, .calendarDate, .uuid, .url,
            .choice, .integerChoice:
            true
        case .data, .json, .array, .toOne, .toMany: false
        }
    }

    /// The range of the integers that fit; nil for types that are not integers.
    package var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer: Int64.min...Int64.max
        case .sizedInteger(let width): width.range
        default: nil
        }
    }

    /// The raw values of a choice as texts, in the order of its cases; nil for any other type.
    package var choices: [String]? {
        switch self {
        case .choice(let choices): choices
        case .integerChoice(let choices): choices.map(String.init)
        default: nil
        }
    }

    /// Returns the choices, or those of an array's elements; nil when the other type cannot have comparable choices.
    package func choices(comparedWith other: PropertyType) -> [String]? {
        if let element, let otherElement = other.element { return element.choices(comparedWith: otherElement) }
        return storage == other.storage ? choices : nil
    }

    /// The type of an array's elements.
    package var element: PropertyType? {
        if case .array(let element) = self { element } else { nil }
    }

    /// The number of digits after the decimal point; 0 for types without decimals.
    package var scale: Int {
        switch self {
        case .decimal(let scale): scale
        case .array(let element): element.scale
        default: 0
        }
    }

    /// Returns the type with another scale, if it has one.
    package func scaled(_ scale: Int) -> PropertyType {
        switch self {
        case .decimal: .decimal(scale: scale)
        case .array(let element): .array(of: element.scaled(scale))
        default: self
        }
    }

    /// The value that represents no value for this type: an empty text, no bytes, no elements; nil for other types.
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
    /// Returns the number that an integer in a column represents.
    func decimal(_ count: Int64) -> Decimal {
        Decimal(sign: count < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(count.magnitude))
    }
}
