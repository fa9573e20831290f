import Foundation

/// The name, the properties, the constraints and the indexes of a model.
public struct ModelSchema: Sendable {
    /// The name of the model, which is also the name of its table: that of the Swift type unless the model declares
    /// another.
    public let name: String
    /// All properties except the id, in the order of their declaration.
    public private(set) var properties: [PropertySchema]
    /// The properties that have a column, in the order of the columns.
    public private(set) var storedProperties: [PropertySchema]

    /// The uniqueness constraints, as lists of property names.
    ///
    /// The ``AttributeOption/unique`` properties come first, one list each, then the lists of `#Unique`. No two records
    /// may have the same values in all properties of a list.
    public let uniqueConstraints: [[String]]

    /// The indexes, as lists of property names.
    ///
    /// The ``AttributeOption/indexed`` properties come first, one list each, then the lists of `#Index`. A unique
    /// property needs no index of its own.
    public let indexes: [[String]]
    /// Indicates whether this is a built-in model, which every application has and which the admin does not list
    /// among the application's own models.
    package let isBuiltIn: Bool
    /// The part of the model's records that a snapshot contains.
    package private(set) var snapshotContent = SnapshotContent.withoutSecrets
    /// The names of the properties that nobody can set through the admin. Only the program sets them.
    package private(set) var readOnly: Set<String> = []
    /// The rule that gives each record its title.
    package private(set) var title: RecordTitle
    /// The text by which people find a record, which is never a secret: the title if it is one text, else the text
    /// that is the guess for the title.
    package private(set) var titleProperty: PropertySchema?
    /// Indicates whether the text that is the title has a text index without being declared ``AttributeOption/fullText``.
    private var indexesTitle = false
    /// The names of the model in the interface.
    let names: ModelNames
    private let storedIndexes: [String: Int]
    /// The model's own ``Model/validate()``; nil when the schema has no Swift type.
    let validation: (@Sendable (Record) -> [FieldProblem])?

    /// Creates the schema of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - definitions: All properties except the id, in the order in which `init(from:)` and `bind(to:)` name them.
    ///   - uniqueConstraints: Lists of properties, as in `#Unique`. No two records may have the same values in all
    ///     properties of a list.
    ///   - indexes: Lists of properties to index, as in `#Index`.
    public init<M: Model>(
        _ model: M.Type, _ definitions: [PropertyDefinition<M>],
        uniqueConstraints: [[any PartialKeyPath<M> & Sendable]] = [],
        indexes: [[any PartialKeyPath<M> & Sendable]] = []
    ) {
        let declared = definitions.map(\.property)
        // An unknown key path becomes an empty name, which the check of the schema reports.
        func names(_ keyPaths: [any PartialKeyPath<M> & Sendable]) -> [String] {
            keyPaths.map { keyPath in declared.first { ($0.keyPath as AnyKeyPath) == keyPath }?.name ?? "" }
        }
        let unique = uniqueConstraints.map(names), indexed = indexes.map(names)
        // A list of one property has the effect of its attribute.
        let properties = declared.map { property in
            property.adding(
                (unique.contains([property.name]) ? [.unique] : [])
                    + (indexed.contains([property.name]) ? [.indexed] : []))
        }
        self.init(
            name: M.modelName, properties: properties, uniqueConstraints: unique.filter { $0.count != 1 || $0 == [""] },
            indexes: indexed.filter { $0.count != 1 || $0 == [""] }, validation: { M.problems(in: $0) }
        )
    }

    package init(
        name: String, properties: [PropertySchema], uniqueConstraints: [[String]] = [], indexes: [[String]] = [],
        validation: (@Sendable (Record) -> [FieldProblem])? = nil
    ) {
        self.name = name
        self.properties = properties
        self.validation = validation
        self.uniqueConstraints = properties.filter(\.isUnique).map { [$0.name] } + uniqueConstraints
        self.indexes = properties.filter { $0.isIndexed && !$0.isUnique }.map { [$0.name] } + indexes
        isBuiltIn = name.hasPrefix(Self.builtInPrefix)
        names = ModelNames(of: isBuiltIn ? String(name.dropFirst(Self.builtInPrefix.count)) : name)
        storedProperties = properties.filter(\.type.isStored)
        title = RecordTitle(guessedFrom: storedProperties, uniqueTogether: self.uniqueConstraints)
        titleProperty = title.text(among: storedProperties)
        var indexes: [String: Int] = [:]
        for (index, property) in storedProperties.enumerated() {
            indexes[property.name] = index
        }
        storedIndexes = indexes
    }

    static let builtInPrefix = "aviary_"

    /// Returns a copy of the schema with another content of snapshots.
    package func snapshots(_ content: SnapshotContent) -> ModelSchema {
        var copy = self
        copy.snapshotContent = content
        return copy
    }

    /// Returns a copy of the schema with properties that nobody can set through the admin.
    package func readOnly(_ properties: Set<String>) -> ModelSchema {
        var copy = self
        copy.readOnly = properties
        return copy
    }

    /// Returns a copy of the schema with another rule for titles.
    ///
    /// - Parameter isFound: Indicates whether people may find a record by the text that is the guess for the title.
    func titled(_ title: RecordTitle, foundByText isFound: Bool = true) -> ModelSchema {
        var copy = self
        copy.title = title
        copy.titleProperty = title.text(among: storedProperties) ?? (isFound ? titleProperty : nil)
        return copy
    }

    /// Returns a copy of the schema with other labels for some properties.
    ///
    /// - Parameter labels: The labels, by property name.
    package func labelled(_ labels: [String: String]) -> ModelSchema {
        guard !labels.isEmpty else { return self }
        func labelled(_ property: PropertySchema) -> PropertySchema {
            labels[property.name].map(property.labelled) ?? property
        }
        var copy = self
        copy.properties = properties.map(labelled)
        copy.storedProperties = storedProperties.map(labelled)
        copy.titleProperty = titleProperty.map(labelled)
        return copy
    }

    package func property(_ name: String) -> PropertySchema? {
        properties.first { $0.name == name }
    }

    package func property(at keyPath: AnyKeyPath) -> PropertySchema? {
        properties.first { ($0.keyPath as AnyKeyPath) == keyPath }
    }

    package func storedIndex(of name: String) -> Int? {
        storedIndexes[name]
    }

    /// The initial values of the form of a new record. A time has whole seconds, which are easier to read and to change.
    package var defaultValues: [FieldValue] {
        storedProperties.map { property in
            let value = property.defaultValue
            guard property.type == .date, case .text(let text) = value, let time = Date(rfc3339: text) else {
                return value
            }
            return Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down)).fieldValue
        }
    }
}

extension ModelSchema {
    /// The name of the model at the beginning of a title or a line: `Animal category`.
    package var titleName: String { Language.current == nil ? names.title : TextFormatter.capitalized(singularName) }

    /// The name of the model in the middle of a sentence: `animal category`.
    package var singularName: String { names.singular.translated }

    /// The plural name of the model in the middle of a sentence: `animal categories`.
    package var pluralName: String { names.plural.translated }

    /// The plural name of the model in headings: `Animal categories`.
    package var pluralTitle: String {
        Language.current == nil ? names.pluralTitle : TextFormatter.capitalized(pluralName)
    }

    /// The name of the model in URLs: `animal-categories`.
    package var slug: String { names.slug }

    /// Returns a number of records in words: `1 animal`, `152 animals`.
    package func counted(_ count: Int) -> String {
        "\(TextFormatter.grouped(count)) \(count == 1 ? singularName : pluralName)"
    }
}

/// The names of a model in words. They are computed once, because every page needs them and splitting words is slow.
package struct ModelNames: Sendable, Hashable {
    let title: String
    let singular: String
    let plural: String
    let pluralTitle: String
    let slug: String

    /// Returns the words of a model's name: `animal category`.
    package static func words(of name: String) -> String { ModelNames(of: name).singular }

    init(of name: String) {
        let words = TextFormatter.split(name)
        singular = words.map { $0.lowercased() }.joined(separator: " ")
        title = TextFormatter.capitalized(singular)
        plural = TextFormatter.plural(singular)
        pluralTitle = TextFormatter.capitalized(plural)
        slug = plural.split(separator: " ").joined(separator: "-")
    }
}

extension ModelSchema {
    /// The properties with a text index, in which a search finds any part.
    package var searchedProperties: [PropertySchema] { storedProperties.filter(hasTextIndex) }

    /// Indicates whether a property has a text index: it is declared ``AttributeOption/fullText``, or it is the title
    /// of an application's model and is not declared ``AttributeOption/notFullText``.
    package func hasTextIndex(_ property: PropertySchema) -> Bool {
        if property.isFullText { return true }
        return indexesTitle && titleText?.name == property.name && !property.isSecret
            && !property.attributes.contains(.notFullText)
    }

    /// Returns a copy of the schema whose title has a text index if it is one text.
    ///
    /// An application's models are made so, because people search lists and pickers by titles. The library's own
    /// models, whose records are written on every sign-in, are not.
    package func indexingTitle() -> ModelSchema {
        var copy = self
        copy.indexesTitle = true
        return copy
    }

    /// Returns the condition that all words of a search occur in the properties with a text index.
    ///
    /// - Throws: ``QueryError`` when the model has no such property.
    func searchExpression(for search: String) throws(QueryError) -> QueryExpression {
        let properties = searchedProperties
        guard !properties.isEmpty else {
            throw QueryError(
                model: name, expression: "A search",
                advice:
                    "has nothing to look at. Declare the properties to be searched with @Attribute(.fullText), or ask with localizedStandardContains."
            )
        }
        return searchExpression(for: search, in: properties)
    }

    /// Returns the condition that each word of a search occurs in one of the properties, which are texts.
    package func searchExpression(for search: String, in properties: [PropertySchema]) -> QueryExpression {
        let words = search.split(whereSeparator: \.isWhitespace).map { String($0).folded }.filter { !$0.isEmpty }
        return .all(
            words.map { word in
                .any(
                    word.spellings.flatMap { spelling in
                        properties.map { .contains(.folded(.property($0.name)), part: .constant(.text(spelling))) }
                    })
            })
    }
}
