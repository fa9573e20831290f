/// What a property holds.
public enum PropertyType: Sendable, Hashable {
    case string
    case boolean
    case integer
    case double
    /// An instant, as RFC 3339 text in UTC.
    case date
    /// A day without a time.
    case calendarDate
    case uuid
    /// One of these raw values.
    case choice([String])
    /// The id of a record of the named model.
    case toOne(model: String)
    /// The records of the named model that point here; not stored.
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
        case .double: "double"
        case .date: "date"
        case .calendarDate: "calendarDate"
        case .uuid: "uuid"
        case .choice(let choices): "choice(\(choices.map(Self.escaped).joined(separator: ",")))"
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
        default:
            guard let open = name.firstIndex(of: "("), name.last == ")" else { return nil }
            let content = String(name[name.index(after: open)...].dropLast())
            switch name[..<open] {
            case "choice": self = .choice(Self.choices(content))
            case "toOne": self = .toOne(model: content)
            case "toMany": self = .toMany(model: content)
            default: return nil
            }
        }
    }

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
