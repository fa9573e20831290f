/// The differences between a program's models and those of an older file, and the steps that they require.
package struct SchemaDifference: Sendable {
    package enum Kind: String, Sendable, Codable, Comparable, CaseIterable {
        case none
        /// A change that lets programs with the old models continue to read and write.
        case additive
        /// A change that is possible, but not while programs with the old models use the file.
        case exclusive
        case refused

        package static func < (left: Kind, right: Kind) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .none: 0
            case .additive: 1
            case .exclusive: 2
            case .refused: 3
            }
        }
    }

    package let changes: [SchemaChange]

    package var kind: Kind { changes.map(\.kind).max() ?? .none }
    package var steps: [String] { changes.compactMap(\.step) }
    package var refusals: [String] { changes.compactMap(\.refusal) }
    /// The names that permit to drop data that the changes lose.
    package var droppableNames: Set<String> { changes.reduce(into: []) { $0.formUnion($1.droppableNames) } }

    /// Compares the models.
    ///
    /// - Parameters:
    ///   - old: The models of the file.
    ///   - new: The models of the program.
    ///   - dropped: The names of models, and of properties such as `Animal.legs`, that may be lost.
    ///   - conversions: The conversions that the program performs itself.
    package init(
        from old: SchemaSummary, to new: Schema, dropping dropped: Set<String> = [],
        converting conversions: [ModelConversion] = []
    ) {
        let converted = Dictionary(conversions.map { ($0.target, $0.source) }, uniquingKeysWith: { first, _ in first })
        let sources = Set(converted.values)
        var changes = old.unreadableLines.map(SchemaChange.unreadableLine)
        for model in old.models.keys.sorted() where new.model(model) == nil && !sources.contains(model) {
            changes.append(dropped.contains(model) ? .dropped(model: model, property: nil) : .missingModel(model))
        }
        for model in new.models {
            if let source = converted[model.name], old.models[source] != nil {
                changes.append(.converted(from: source, to: model.name))
            } else if let properties = old.models[model.name] {
                changes += Self.changes(from: properties, to: model, dropping: dropped, old.embeddedParts)
            } else {
                changes.append(.newModel(model.name))
            }
        }
        let renamed = Dictionary(conversions.map { ($0.source, $0.target) }, uniquingKeysWith: { first, _ in first })
        changes += RelationDifference(from: old, to: new, dropping: dropped, renamed: renamed).changes.map(
            SchemaChange.relation)
        self.changes = changes
    }

    private static func changes(
        from old: [SchemaSummary.Property], to model: ModelSchema, dropping dropped: Set<String>,
        _ parts: [String: [SchemaSummary.Property]]
    ) -> [SchemaChange] {
        let names = Set(old.map(\.name))
        let new = model.storedProperties.filter { !names.contains($0.name) }
        // A current name is not a former name: two properties may have swapped their names, which nobody could
        // detect.
        let renamed = Dictionary(
            new.compactMap { property in
                property.originalName.flatMap {
                    names.contains($0) && model.property($0) == nil ? ($0, property.name) : nil
                }
            }, uniquingKeysWith: { first, _ in first })
        var changes: [SchemaChange] = []
        for property in old where model.storedIndex(of: property.name) == nil {
            if let name = renamed[property.name] {
                changes.append(.renamed(model: model.name, from: property.name, to: name))
            } else if dropped.contains("\(model.name).\(property.name)") {
                changes.append(.dropped(model: model.name, property: property.name))
            } else {
                let similar = new.filter { $0.type == property.type }.map(\.name)
                changes.append(.missingProperty(model: model.name, property: property.name, new: similar))
            }
        }
        let known = Dictionary(old.map { (renamed[$0.name] ?? $0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for property in model.storedProperties {
            if let before = known[property.name] {
                changes += Self.changes(from: before, to: property, of: model.name)
                changes += EmbeddedChange.changes(
                    from: parts["\(model.name).\(before.name)"] ?? [], to: property, of: model.name, dropping: dropped
                ).map(SchemaChange.embedded)
            } else {
                changes.append(.newProperty(model: model.name, property, property.unfitDefault(in: model)))
            }
        }
        return changes
    }

    private static func changes(
        from old: SchemaSummary.Property, to new: PropertySchema, of model: String
    ) -> [SchemaChange] {
        var changes: [SchemaChange] = []
        if let before = old.type.choices(comparedWith: new.type), let after = new.type.choices(comparedWith: old.type) {
            let missing = before.filter { !after.contains($0) }, added = after.filter { !before.contains($0) }
            if !missing.isEmpty { changes.append(.choicesRemoved(model: model, property: new.name, missing)) }
            if !added.isEmpty { changes.append(.choicesAdded(model: model, property: new.name, added)) }
            if before != after, missing.isEmpty, added.isEmpty {
                changes.append(.choicesReordered(model: model, property: new.name))
            }
        } else if old.type != new.type {
            guard let widening = new.type.widening(from: old.type) else {
                return [.typeChanged(model: model, property: new.name, from: old.type.name, to: new.type.name)]
            }
            changes.append(.widened(model: model, property: new.name, from: old.type, to: new.type, widening))
        }
        switch (old.isOptional, new.isOptional) {
        case (true, false): changes.append(.becameMandatory(model: model, property: new.name))
        case (false, true): changes.append(.becameOptional(model: model, property: new.name))
        default: break
        }
        switch (old.isUnique, new.isUnique) {
        case (false, true): changes.append(.becameUnique(model: model, property: new.name))
        case (true, false): changes.append(.becameRepeatable(model: model, property: new.name))
        default: break
        }
        return changes
    }
}

extension PropertySchema {
    fileprivate func unfitDefault(in model: ModelSchema) -> SchemaChange.UnfitDefault? {
        let value = defaultValue
        guard model.problems(in: [name: value]).isEmpty else { return .missing }
        return isUnique && !value.isNull ? .repeated : nil
    }
}

/// A conversion without loss of every value of a narrower type to a wider type.
package enum TypeWidening: Sendable, Hashable {
    /// No change of the stored value.
    case unchanged
    /// A conversion of integers to floating-point numbers, which represent integers up to 2^53 exactly.
    case real
    /// A conversion of numbers to more digits after the decimal point. `digits` is the number of additional digits.
    case scaled(digits: Int)
}

extension PropertyType {
    /// Returns the conversion from a narrower type; nil when a value may be lost or change its meaning.
    package func widening(from narrower: PropertyType) -> TypeWidening? {
        if let range = integerRange, let values = narrower.integerRange ?? narrower.integers {
            return range.contains(values.lowerBound) && range.contains(values.upperBound) ? .unchanged : nil
        }
        if let element, let narrowerElement = narrower.element { return element.elementWidening(from: narrowerElement) }
        return switch (narrower, self) {
        case (.choice, .string), (.uuid, .string), (.calendarDate, .string), (.date, .string), (.url, .string):
            .unchanged
        case (.float, .double): .unchanged
        case (.integer, .double), (.sizedInteger, .double): .real
        case (.integer, .decimal(let scale)), (.sizedInteger, .decimal(let scale)): .scaled(digits: scale)
        case (.decimal(let old), .decimal(let new)) where new >= old: .scaled(digits: new - old)
        default: nil
        }
    }

    /// Returns the conversion of an array's elements; nil unless their JSON stays unchanged.
    ///
    /// JSON has the same notation for an integer and for the floating-point number of the same value, but such a
    /// number exists only up to 2^53. Booleans have their own notation.
    private func elementWidening(from narrower: PropertyType) -> TypeWidening? {
        switch (narrower, self) {
        // A text such as 0.1 means another number in single precision than in double precision.
        case (.boolean, _), (.float, .double): nil
        case (.sizedInteger(let width), .double) where width != .uint64: .unchanged
        case (.array, .array): widening(from: narrower)
        case (.decimal, .decimal) where widening(from: narrower) != nil: .unchanged
        default: widening(from: narrower) == .unchanged ? .unchanged : nil
        }
    }

    /// The range of the integers that represent the values in a column; nil when the integers have another meaning.
    private var integers: ClosedRange<Int64>? {
        switch self {
        case .boolean: 0...1
        case .integerChoice(let choices):
            choices.min().flatMap { least in choices.max().map { Int64(least)...Int64($0) } }
        default: nil
        }
    }
}
