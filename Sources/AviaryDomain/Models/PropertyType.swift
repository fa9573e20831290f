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
    /// The type of which this is the ``name``; nil when it is none.
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
                // A forged name can contain any number of parentheses, and each is a call.
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

    // A raw value may hold any character, and the name is one line of which the choices are read again.
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
