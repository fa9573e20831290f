/// The options that `@Attribute` knows, and what they are for.
enum AttributeOptionKind: String, CaseIterable {
    case unique, required, indexed, secret, fullText, originalName, scale, length, range, pattern

    /// Whether it makes sense for a type of this name. True for names that only the compiler knows.
    func fits(typeNamed type: String) -> Bool {
        guard Self.knownTypes.contains(type) else { return true }
        return switch self {
        case .unique, .required, .indexed, .originalName: true
        case .secret, .fullText, .length, .pattern: type == "String"
        case .range: Self.numbers.contains(type)
        case .scale: type == "Decimal"
        }
    }

    var purpose: String {
        switch self {
        case .unique, .required, .indexed, .originalName: "stored properties"
        case .secret, .fullText, .length, .pattern: "a String"
        case .range: "a number"
        case .scale: "a Decimal"
        }
    }

    /// The option that was probably meant.
    static func nearest(to name: String) -> AttributeOptionKind? {
        if let other = otherWords[name.lowercased()] { return other }
        let found = allCases.map { (kind: $0, distance: distance(name.lowercased(), $0.rawValue.lowercased())) }
        return found.min { $0.distance < $1.distance }.flatMap { $0.distance <= 2 ? $0.kind : nil }
    }

    private static let otherWords: [String: AttributeOptionKind] = [
        "index": .indexed, "search": .fullText, "searchable": .fullText, "spotlight": .fullText, "password": .secret,
        "ephemeral": .secret, "notnull": .required, "regex": .pattern, "renamed": .originalName, "maxlength": .length,
    ]
    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "Decimal",
    ]
    private static let knownTypes = numbers.union([
        "String", "Bool", "Date", "CalendarDate", "UUID", "Data", "URL", "Reference",
    ])

    /// How many letters are to be added, removed or changed.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var previous = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let change = previous + (letter == other ? 0 : 1)
                previous = row[j + 1]
                row[j + 1] = min(change, previous + 1, row[j] + 1)
            }
        }
        return row.last ?? 0
    }
}
