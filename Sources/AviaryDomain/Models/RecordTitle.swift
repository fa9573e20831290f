import Foundation

/// The rule that gives each record of a model its title, by which people know it.
///
/// A title that the admin does not declare is a guess, which depends on the properties without which no record can be
/// added. Therefore adding a property that is optional or has a default does not change it.
package struct RecordTitle: Sendable {
    /// The properties whose values make up the title, as indexes among the stored properties. A closure reads all.
    package let parts: [Int]
    /// Indicates whether the admin declares no title.
    package let isGuess: Bool
    /// The closure that returns the title; nil when the title consists of ``parts``.
    private let compute: (@Sendable (Record) -> String?)?

    private init(parts: [Int], isGuess: Bool, compute: (@Sendable (Record) -> String?)? = nil) {
        self.parts = parts
        self.isGuess = isGuess
        self.compute = compute
    }

    /// Creates the title that is the value of one stored property.
    init(declared index: Int) {
        self.init(parts: [index], isGuess: false)
    }

    /// Creates the title that a closure returns.
    ///
    /// - Parameter count: The number of stored properties of the model.
    init(of count: Int, _ compute: @escaping @Sendable (Record) -> String?) {
        self.init(parts: Array(0..<count), isGuess: false, compute: compute)
    }

    /// Indicates whether a closure returns the title.
    package var isComputed: Bool { compute != nil }

    /// Returns the text that is the whole title; nil when the title is anything else.
    func text(among properties: [PropertySchema]) -> PropertySchema? {
        guard compute == nil, parts.count == 1, let index = parts.first, properties[index].type == .string else {
            return nil
        }
        return properties[index]
    }

    /// Returns the title of a record; nil when it is blank.
    func text(of record: Record, _ properties: [PropertySchema]) -> String? {
        let text: String?
        if let compute {
            text = compute(record)
        } else {
            let words = parts.compactMap { self.words(at: $0, of: record, properties) }
            text = words.isEmpty ? nil : words.joined(separator: ", ")
        }
        return text.flatMap { $0.isBlank ? nil : $0 }
    }

    private func words(at index: Int, of record: Record, _ properties: [PropertySchema]) -> String? {
        guard index < properties.count, index < record.values.count else { return nil }
        let words: String?
        switch (record.values[index], properties[index].type) {
        // A title that is one text is shown in full.
        case (.text(let text), .string) where parts.count == 1: words = text
        // Users do not recognize a record by its identifier.
        case (.text, .toOne):
            words = record.referenceTitle(at: index).flatMap { UUID(canonicalText: $0) == nil ? $0 : nil }
        case (let value, _): words = properties[index].words(for: value, elements: 1)
        }
        return words.flatMap { $0.isBlank ? nil : $0 }
    }
}

extension RecordTitle {
    /// The largest number of values in a composed title. They are enough to distinguish records.
    private static let mostParts = 3

    /// Creates the guess for a model.
    ///
    /// The guess considers only the properties without which no record can be added. It takes the first text
    /// that is required, else the first that is unique, else the first of any. Without such a text, it takes the
    /// properties that are unique together, or else up to three, preferably references and days. In a model that
    /// requires none of these, it takes the first text.
    ///
    /// - Parameters:
    ///   - properties: The stored properties.
    ///   - groups: The names of properties that are unique together.
    init(guessedFrom properties: [PropertySchema], uniqueTogether groups: [[String]]) {
        let needed = properties.indices.filter { properties[$0].isNeededForTitle }
        let texts = needed.filter { properties[$0].type == .string }
        if let best = texts.map({ properties[$0].titleRank }).max() {
            self.init(parts: Array(texts.filter { properties[$0].titleRank == best }.prefix(1)), isGuess: true)
            return
        }
        let usable = needed.filter { properties[$0].type.isUsableInTitle }
        let names = Set(usable.map { properties[$0].name })
        if let group = groups.first(where: { !$0.isEmpty && names.isSuperset(of: $0) }) {
            let parts = group.compactMap { name in usable.first { properties[$0].name == name } }
            self.init(parts: Array(parts.prefix(Self.mostParts)), isGuess: true)
            return
        }
        let distinct = usable.filter { properties[$0].type.isDistinctInTitle }
        let parts = (distinct + usable.filter { !distinct.contains($0) }).prefix(Self.mostParts).sorted()
        if parts.isEmpty {
            let first = properties.firstIndex { $0.type == .string && !$0.isSecret }
            self.init(parts: first.map { [$0] } ?? [], isGuess: true)
        } else {
            self.init(parts: parts, isGuess: true)
        }
    }

    /// Returns the title without some of its parts.
    func without(_ hidden: Set<Int>) -> RecordTitle {
        RecordTitle(parts: parts.filter { !hidden.contains($0) }, isGuess: isGuess, compute: compute)
    }
}

extension PropertySchema {
    /// Indicates whether no record can be added without a value that somebody chose: the property is neither optional
    /// nor has a default. A required text whose default is empty counts, because nobody can save the default.
    fileprivate var isNeededForTitle: Bool {
        guard !isSecret, !isOptional || isMandatory else { return false }
        guard let makeDefault else { return true }
        guard isMandatory, type == .string, case .text(let text) = makeDefault() else { return false }
        return text.isBlank
    }

    fileprivate var titleRank: Int { isMandatory ? 2 : isUnique ? 1 : 0 }
}

extension PropertyType {
    /// Indicates whether a value of this type says something as a part of a title.
    fileprivate var isUsableInTitle: Bool {
        switch self {
        case .toOne, .date, .calendarDate, .choice, .integerChoice, .integer, .sizedInteger, .double, .float, .decimal,
            .url:
            true
        default: false
        }
    }

    /// Indicates whether values of this type usually distinguish records better than numbers and choices do.
    fileprivate var isDistinctInTitle: Bool {
        switch self {
        case .toOne, .date, .calendarDate, .url: true
        default: false
        }
    }
}

extension ModelSchema {
    /// The properties whose values make up the titles of the records.
    package var titleParts: [PropertySchema] {
        title.parts.compactMap { storedProperties.indices.contains($0) ? storedProperties[$0] : nil }
    }

    /// Returns a copy of the schema whose records have the value of one property as their title.
    ///
    /// - Parameter property: The name of a stored property.
    package func titled(by property: String) -> ModelSchema {
        storedIndex(of: property).map { titled(RecordTitle(declared: $0)) } ?? self
    }

    /// Returns a copy of the schema whose records have the title that a closure returns, for each record.
    package func titled(_ text: @escaping @Sendable (Record) -> String?) -> ModelSchema {
        titled(RecordTitle(of: storedProperties.count, text))
    }

    /// Returns a copy of the schema whose titles reveal nothing that a role must not see.
    ///
    /// A guess leaves out what is hidden from any role that may view the records, so that the title is the same for
    /// everybody.
    ///
    /// - Throws: ``RoleError`` when the title consists of one text that a role hides, or when the admin declares a
    ///   property as the title that a role must not see.
    package func titled(for roles: [Role]) throws(RoleError) -> ModelSchema {
        var hidden: Set<Int> = []
        for role in roles where role.allows(.view, on: name) {
            for index in title.parts {
                let property = storedProperties[index]
                let isUnseen = property.type.model.map { !role.allows(.view, on: $0) } ?? false
                guard role.hides(property.name, of: name) || isUnseen else { continue }
                // The author of a closure decides what it shows. Only the search avoids what is hidden.
                if title.isComputed || title.isGuess && (title.parts.count > 1 || isUnseen) {
                    hidden.insert(index)
                    continue
                }
                let place = "\(name).\(property.name)"
                let advice =
                    title.isGuess
                    ? "Show \(place), allow nothing on \(name), or give it another title: ModelAdmin(\(name).self).title(…)."
                    : "Let the role see \(place)\(isUnseen ? " and what it refers to" : ""), allow nothing on \(name), or declare another .title."
                throw RoleError(
                    role: role.name,
                    reason:
                        "\(isUnseen ? "cannot view what" : "hides") \(place)\(isUnseen ? " refers to" : ""), by which people know the records. \(advice)"
                )
            }
        }
        let isFoundByHidden = titleProperty.map { found in
            roles.contains { $0.allows(.view, on: name) && $0.hides(found.name, of: name) }
        }
        return titled(hidden.isEmpty ? title : title.without(hidden), foundByText: isFoundByHidden != true)
    }

    /// The text that is the title of the records; nil when the title is anything else.
    package var titleText: PropertySchema? { title.text(among: storedProperties) }

    /// Returns the condition that all words of a search occur in the texts of the title, or in the titles of the
    /// records that it names; nil when the title has no text to search.
    ///
    /// - Parameters:
    ///   - search: The typed text.
    ///   - model: A closure that returns a model by its name.
    package func titleSearch(for search: String, _ model: (String) -> ModelSchema?) -> QueryExpression? {
        if let titleText { return searchExpression(for: search, in: [titleText]) }
        let texts = titleParts.filter { $0.type == .string && !$0.isSecret }
        let others: [(path: RelationPath, texts: [PropertySchema])] =
            title.isComputed
            ? []
            : titleParts.compactMap { part in
                guard case .toOne(let name) = part.type, let other = model(name) else { return nil }
                let texts = other.titleParts.filter { $0.type == .string && !$0.isSecret }
                return texts.isEmpty ? nil : (.reference(property: part.name, RelatedModel(other)), texts)
            }
        guard !texts.isEmpty || !others.isEmpty else { return nil }
        // The commas of a composed title belong to no word of a value.
        let words = search.split(whereSeparator: \.isWhitespace)
            .map { String($0).trimmingCharacters(in: .punctuationCharacters).folded }.filter { !$0.isEmpty }
        func contains(_ word: String, in texts: [PropertySchema]) -> QueryExpression {
            .any(
                word.spellings.flatMap { spelling in
                    texts.map { .contains(.folded(.property($0.name)), part: .constant(.text(spelling))) }
                })
        }
        return .all(
            words.map { word in
                .any(
                    (texts.isEmpty ? [] : [contains(word, in: texts)])
                        + others.map { .related($0.path, where: contains(word, in: $0.texts)) })
            })
    }

    /// Returns the title that typed texts give; nil as long as they give none.
    ///
    /// - Parameter typed: A closure that returns the typed text of a property.
    package func title(typed: (String) -> String?) -> String? {
        let texts = titleParts.filter { $0.type == .string }
        // A closure would join empty texts.
        if title.isComputed, !texts.isEmpty, texts.allSatisfy({ typed($0.name)?.isBlank ?? true }) { return nil }
        let values = storedProperties.map { property -> FieldValue in
            guard let text = typed(property.name) else { return property.defaultValue }
            // A value that cannot be read yet is missing from the title.
            return (try? property.parse(typed: text).get()) ?? .null
        }
        return Record(id: UUID(), version: 0, values: values).shownTitle(in: self)
            ?? titleProperty.flatMap { typed($0.name) }
    }
}

extension Record {
    /// Returns the title of the record for people: its identifier when it has none.
    package func title(in schema: ModelSchema) -> String {
        shownTitle(in: schema) ?? id.canonicalText
    }

    /// Returns the title of the record; nil when it has none.
    ///
    /// The titles of references must have been read with the record.
    package func shownTitle(in schema: ModelSchema) -> String? {
        schema.title.text(of: self, schema.storedProperties)
    }
}
