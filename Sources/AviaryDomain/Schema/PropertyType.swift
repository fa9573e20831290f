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
        case .choice(let choices): "choice(\(choices.joined(separator: ",")))"
        case .toOne(let model): "toOne(\(model))"
        case .toMany(let model): "toMany(\(model))"
        }
    }
}
