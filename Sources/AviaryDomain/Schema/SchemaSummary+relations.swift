extension SchemaSummary {
    /// A many-to-many relation as a file or a client has it.
    package struct Relation: Sendable, Hashable {
        /// The side that names the inverse, after which the links are kept.
        package let model: String
        package let property: String
        /// The model on the other side.
        package let target: String
        /// Its property; nil where nobody wrote it down.
        package let inverse: String?
        /// A Boolean value that indicates whether the relation is its own inverse; nil when it is unknown.
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

        /// `Book.authors`.
        package var name: String { "\(model).\(property)" }

        /// Returns a Boolean value that indicates whether both are the same relation, as far as is known.
        package func fits(_ relation: LinkRelation) -> Bool {
            name == relation.name && target == relation.target.model
                && (inverse ?? relation.target.property) == relation.target.property
                && (isSymmetric ?? relation.isSymmetric) == relation.isSymmetric
        }
    }
}

extension SchemaSummary.Relation {
    /// `Book.authors links(Author.books)`.
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
