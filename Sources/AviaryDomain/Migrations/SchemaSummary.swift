/// A schema as the lines of ``Schema/summary`` tell it: what a store's file remembers of the program that wrote it, and
/// what a client says of itself.
package struct SchemaSummary: Sendable, Hashable {
    package struct Property: Sendable, Hashable {
        package let name: String
        package let type: PropertyType
        package let isOptional: Bool
        package let isUnique: Bool
    }

    /// The models by name, with their properties in order.
    package private(set) var models: [String: [Property]]
    /// The many-to-many relations.
    package private(set) var relations: [Relation] = []
    /// The lines that cannot be read, because another version of this library wrote them, or none.
    package private(set) var unreadableLines: [String] = []

    /// - Parameter models: Names of models that may have no stored property, and so no line.
    package init(lines: [String], models names: some Sequence<String> = []) {
        models = Dictionary(names.map { ($0, []) }, uniquingKeysWith: { first, _ in first })
        for line in lines {
            // A choice may be called as a relation is written, and no relation as a type.
            if let (model, property) = Self.parse(line) {
                models[model, default: []].append(property)
            } else if let relation = Relation(line: line) {
                relations.append(relation)
            } else {
                unreadableLines.append(line)
            }
        }
    }

    package func property(_ name: String, of model: String) -> Property? {
        models[model]?.first { $0.name == name }
    }

    package func relation(_ name: String) -> Relation? {
        relations.first { $0.name == name }
    }

    /// Adds a relation that no line describes.
    package mutating func add(_ relation: Relation) {
        relations.append(relation)
    }

    /// `Animal.legs integer? unique`.
    private static func parse(_ line: String) -> (model: String, property: Property)? {
        var rest = line[...]
        let isUnique = rest.hasSuffix(" unique")
        if isUnique { rest.removeLast(" unique".count) }
        let isOptional = rest.hasSuffix("?")
        if isOptional { rest.removeLast() }
        guard let (start, type) = typeName(in: rest), let dot = rest[..<start].firstIndex(of: ".") else { return nil }
        let property = Property(
            name: String(rest[rest.index(after: dot)..<start]), type: type, isOptional: isOptional, isUnique: isUnique
        )
        return (String(rest[..<dot]), property)
    }

    /// Choices may hold spaces, and so may a property's name in backquotes; the first that begins the name of a type
    /// counts.
    private static func typeName(in line: Substring) -> (start: Substring.Index, type: PropertyType)? {
        for start in line.indices where line[start] == " " {
            if let type = PropertyType(name: String(line[line.index(after: start)...])) { return (start, type) }
        }
        return nil
    }
}
