/// On which line of a file a unique property first had a value. Several records may have none.
struct UniqueValues {
    private struct Key: Hashable {
        let properties: [String]
        let values: [FieldValue]
    }

    private var lines: [Key: Int] = [:]

    /// The line that had the value before; nil when this is the first.
    mutating func firstLine(of value: FieldValue?, in property: String, at line: Int) -> Int? {
        guard let value else { return nil }
        return firstLine(of: [value], in: [property], at: line)
    }

    /// The same of several properties, whose values are unique together.
    mutating func firstLine(of values: [FieldValue], in properties: [String], at line: Int) -> Int? {
        guard !values.contains(.null) else { return nil }
        let key = Key(properties: properties, values: values)
        if let first = lines[key] { return first }
        lines[key] = line
        return nil
    }
}
