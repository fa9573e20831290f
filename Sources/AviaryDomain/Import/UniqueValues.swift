/// The lines of a file on which a value of a unique property first occurred. Several records may have no value.
struct UniqueValues {
    /// The value as 128 bits of hashes, which two values share by chance once in more files than there will be: so what
    /// is kept of each line is small, however long its texts are.
    private struct Key: Hashable {
        private let first: Int
        private let second: Int

        init(properties: [String], values: [FieldValue]) {
            func hash(_ salt: Int) -> Int {
                var hasher = Hasher()
                hasher.combine(salt)
                hasher.combine(properties)
                hasher.combine(values)
                return hasher.finalize()
            }
            (first, second) = (hash(1), hash(2))
        }
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
