/// A schema that was parsed from the lines of ``Schema/summary``.
///
/// A store's file contains these lines for the program that wrote it, and a client sends them to describe its
/// models.
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
    /// The parts of embedded structs by their property: `Keeper.address`. Empty where none were recorded.
    package private(set) var embeddedParts: [String: [Property]] = [:]
    /// The lines that could not be parsed, because another version of this library or another program wrote them.
    package private(set) var unreadableLines: [String] = []

    /// Parses the lines of a summary.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - names: The names of models. A model without stored properties has no line.
    ///   - embeddedLines: The lines of ``Schema/embeddedLines``.
    package init(lines: [String], models names: some Sequence<String> = [], embeddedLines: [String] = []) {
        models = Dictionary(names.map { ($0, []) }, uniquingKeysWith: { first, _ in first })
        for line in lines {
            // The name of a choice may look like a relation, but a relation never looks like a type. So parse
            // properties first.
            if let (model, property) = Self.parse(line) {
                models[model, default: []].append(property)
            } else if let relation = Relation(line: line) {
                relations.append(relation)
            } else {
                unreadableLines.append(line)
            }
        }
        for line in embeddedLines {
            // A line of a newer version of this library, which knows more types, is no obstacle to an older one.
            guard let (model, part) = Self.parse(line), let dot = part.name.firstIndex(of: ".") else { continue }
            let name = String(part.name[part.name.index(after: dot)...])
            embeddedParts["\(model).\(part.name[..<dot])", default: []].append(
                Property(name: name, type: part.type, isOptional: part.isOptional, isUnique: false))
        }
    }

    /// Creates the summary of a schema.
    package init(of schema: Schema) {
        self.init(lines: schema.summary, models: schema.models.map(\.name), embeddedLines: schema.embeddedLines)
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

    /// Parses the line of a property: `Animal.legs integer? unique`.
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

    /// Finds the name of a type in a line.
    ///
    /// Choices may contain spaces, and so may a property's name in backquotes. The first space that precedes the
    /// name of a type counts.
    private static func typeName(in line: Substring) -> (start: Substring.Index, type: PropertyType)? {
        for start in line.indices where line[start] == " " {
            if let type = PropertyType(name: String(line[line.index(after: start)...])) { return (start, type) }
        }
        return nil
    }
}

extension SchemaSummary {
    /// A many-to-many relation as a file or a client has it.
    package struct Relation: Sendable, Hashable {
        /// The model of the side that names the inverse. The stored links are named after this side.
        package let model: String
        package let property: String
        /// The model on the other side.
        package let target: String
        /// The property of the other model; nil when it was not recorded.
        package let inverse: String?
        /// Indicates whether the relation is its own inverse; nil when it is unknown.
        package let isSymmetric: Bool?

        package init(model: String, property: String, target: String, inverse: String) {
            self.model = model
            self.property = property
            self.target = target
            self.inverse = inverse
            isSymmetric = model == target && property == inverse
        }

        /// Creates a relation of a file that does not name the other side.
        package init(model: String, property: String, target: String, isSymmetric: Bool?) {
            self.model = model
            self.property = property
            self.target = target
            inverse = nil
            self.isSymmetric = isSymmetric
        }

        package init(_ relation: LinkRelation) {
            self.init(
                model: relation.source.model, property: relation.source.property, target: relation.target.model,
                inverse: relation.target.property
            )
        }

        /// The name of the relation: `Book.authors`.
        package var name: String { "\(model).\(property)" }

        /// Indicates whether both are the same relation, as far as is known.
        package func fits(_ relation: LinkRelation) -> Bool {
            name == relation.name && target == relation.target.model
                && (inverse ?? relation.target.property) == relation.target.property
                && (isSymmetric ?? relation.isSymmetric) == relation.isSymmetric
        }
    }
}

extension SchemaSummary.Relation {
    /// The line of the relation in a summary: `Book.authors links(Author.books)`.
    package var line: String { "\(name) links(\(target)" + (inverse.map { ".\($0)" } ?? "") + ")" }

    init?(line: String) {
        guard line.hasSuffix(")"), let middle = line.firstRange(of: " links("),
            let source = Self.name(line[..<middle.lowerBound]),
            let target = Self.name(line[middle.upperBound...].dropLast())
        else { return nil }
        self.init(model: source.model, property: source.property, target: target.model, inverse: target.property)
    }

    private static func name(_ text: Substring) -> (model: String, property: String)? {
        guard let dot = text.firstIndex(of: ".") else { return nil }
        let model = text[..<dot], property = text[text.index(after: dot)...]
        return model.isEmpty || property.isEmpty ? nil : (String(model), String(property))
    }
}

extension Schema {
    /// The description of the schema that the store compares with the file that it opens: one line for each property,
    /// then one for each many-to-many relation.
    package var summary: [String] { propertyLines + relationLines }

    /// The lines of the summary for stored properties, one for each.
    package var propertyLines: [String] {
        models.sorted { $0.name < $1.name }.flatMap { model in
            model.storedProperties.map { property in
                "\(model.name).\(property.name) \(property.type.name)"
                    + (property.isOptional ? "?" : "")
                    + (property.isUnique ? " unique" : "")
            }
        }
    }

    private var relationLines: [String] {
        links.map { SchemaSummary.Relation($0).line }.sorted()
    }

    /// The hash of the summary in hexadecimal. It distinguishes schemas but is not cryptographic.
    package var fingerprint: String {
        var hash = FNV1a()
        for line in summary { hash.add(line + "\n") }
        return String(hash.value, radix: 16)
    }
}
