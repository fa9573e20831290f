/// On which line of a file a unique property first had a value. Several records may have none.
struct UniqueValues {
    private struct Key: Hashable {
        let property: String
        let value: FieldValue
    }

    private var lines: [Key: Int] = [:]

    /// The line that had the value before; nil when this is the first.
    mutating func firstLine(of value: FieldValue?, in property: String, at line: Int) -> Int? {
        guard let value, !value.isNull else { return nil }
        let key = Key(property: property, value: value)
        if let first = lines[key] { return first }
        lines[key] = line
        return nil
    }
}
