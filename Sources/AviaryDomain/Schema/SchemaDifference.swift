/// How a program's models differ from those that something older was written with, and what that asks for.
package struct SchemaDifference: Sendable {
    package enum Kind: String, Sendable, Codable, Comparable, CaseIterable {
        case none
        /// Whoever knows the old models can go on reading, and writing.
        case additive
        /// Possible, but not beside somebody who knows only the old models.
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

    package init(from old: SchemaSummary, to new: Schema) {
        var changes = old.unreadableLines.map(SchemaChange.unreadableLine)
        for model in old.models.keys.sorted() where new.model(model) == nil { changes.append(.missingModel(model)) }
        for model in new.models {
            if let properties = old.models[model.name] {
                changes += Self.changes(from: properties, to: model)
            } else {
                changes.append(.newModel(model.name))
            }
        }
        self.changes = changes
    }

    private static func changes(from old: [SchemaSummary.Property], to model: ModelSchema) -> [SchemaChange] {
        let known = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let new = model.storedProperties.filter { known[$0.name] == nil }
        var changes: [SchemaChange] = []
        for property in old where model.storedIndex(of: property.name) == nil {
            let similar = new.filter { $0.type == property.type }.map(\.name)
            changes.append(.missingProperty(model: model.name, property: property.name, new: similar))
        }
        for property in model.storedProperties {
            if let before = known[property.name] {
                changes += Self.changes(from: before, to: property, of: model.name)
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
        switch (old.type, new.type) {
        case (.choice(let before), .choice(let after)) where before != after:
            let missing = before.filter { !after.contains($0) }, added = after.filter { !before.contains($0) }
            if !missing.isEmpty { changes.append(.choicesMissing(model: model, property: new.name, missing)) }
            if !added.isEmpty { changes.append(.choicesAdded(model: model, property: new.name, added)) }
            if missing.isEmpty, added.isEmpty { changes.append(.choicesReordered(model: model, property: new.name)) }
        case (let before, let after) where before != after:
            return [.typeChanged(model: model, property: new.name, from: before.name, to: after.name)]
        default: break
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
