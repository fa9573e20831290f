/// The resolution of the two sides of each relation among the properties of all models. Mistakes are errors.
struct RelationResolution {
    private(set) var foreignKeys: [ForeignKey] = []
    private(set) var links: [LinkRelation] = []
    private let models: [ModelSchema]
    /// The owner of each property that is an inverse.
    private var owners: [PropertyName: Side] = [:]

    init(_ models: [ModelSchema]) throws(SchemaError) {
        self.models = models
        // A mistake that follows from an earlier one is not reported: each step needs what the one before it found.
        var errors = SchemaErrors()
        let sides = toManySides(&errors)
        for model in models {
            for property in model.storedProperties {
                if case .toOne(let target) = property.type {
                    errors.collect { () throws(SchemaError) in try checkTarget(target, of: property, in: model) }
                }
            }
        }
        try errors.check()
        try resolveInverses(of: sides)
        for side in sides where side.options.inverse == nil && owners[side.name] == nil {
            errors.add(side.withoutInverse)
        }
        try errors.check()
        for model in models {
            for property in model.storedProperties {
                if case .toOne(let target) = property.type { addForeignKey(property, of: model, to: target) }
            }
        }
    }

    /// Resolves the sides that are symmetric or name an inverse. Of two sides that conflict, it reports one.
    private mutating func resolveInverses(of sides: [Side]) throws(SchemaError) {
        var errors = SchemaErrors()
        var reported: Set<PropertyName> = []
        for side in sides where side.isSymmetric {
            do {
                try resolveSymmetric(side)
            } catch {
                errors.add(error)
                reported.insert(side.name)
            }
        }
        for side in sides where side.options.inverse != nil && !reported.contains(side.name) {
            let inverse = side.options.inverse.flatMap { side.other.property(at: $0) }
            if let inverse, reported.contains(PropertyName(model: side.other.name, property: inverse.name)) { continue }
            do {
                try resolve(side)
            } catch {
                errors.add(error)
                reported.insert(side.name)
            }
        }
        try errors.check()
    }

    private func toManySides(_ errors: inout SchemaErrors) -> [Side] {
        var sides: [Side] = []
        for model in models {
            for property in model.properties {
                guard case .toMany(let target) = property.type else { continue }
                guard let other = models.first(where: { $0.name == target }) else {
                    errors.add(
                        SchemaError(
                            model: model.name, property: property.name,
                            "relates to \(target), which is not registered. Add ModelAdmin(\(target).self) to the admin."
                        ))
                    continue
                }
                let side = errors.collect { () throws(SchemaError) in try Side(property, of: model, other: other) }
                if let side { sides.append(side) }
            }
        }
        return sides
    }

    private mutating func resolveSymmetric(_ side: Side) throws(SchemaError) {
        guard side.options.inverse == nil, side.other.name == side.model else {
            throw side.error(
                "cannot be symmetric: that is a Related<\(side.model)> without an inverse, which is its own. Leave out .symmetric."
            )
        }
        owners[side.name] = side
        let ends = LinkRelation.Side(side.property, of: side.schema)
        links.append(LinkRelation(source: ends, target: ends))
    }

    private mutating func resolve(_ side: Side) throws(SchemaError) {
        let target = side.other.name
        guard let inverse = side.options.inverse.flatMap({ side.other.property(at: $0) }),
            inverse.type.model == side.model
        else {
            throw side.error(
                "has an inverse that is not a Reference<\(side.model)> of \(target), nor a Related<\(side.model)>. Name the property of \(target) that points back."
            )
        }
        let name = PropertyName(model: target, property: inverse.name)
        if inverse.relationship?.inverse != nil {
            throw side.error(
                "has the inverse \(target).\(inverse.name), which names an inverse itself. Name the inverse on one side only: write @Relationship without inverse: on the other."
            )
        }
        guard owners.updateValue(side, forKey: name) == nil else {
            throw side.error(
                "has the same inverse \(target).\(inverse.name) as another relation. Give each relation \(inverse.type.isStored ? "a reference" : "an inverse") of its own."
            )
        }
        if inverse.type.isStored, side.options.originalName != nil {
            throw side.error(
                "has an originalName, but nothing is stored under its name. Remove it; what is stored is the reference \(target).\(inverse.name), and its @Attribute says what that was called."
            )
        }
        if !inverse.type.isStored {
            links.append(
                LinkRelation(
                    source: .init(side.property, of: side.schema), target: .init(inverse, of: side.other)
                ))
        }
    }

    private func checkTarget(
        _ target: String, of property: PropertySchema, in model: ModelSchema
    ) throws(SchemaError) {
        guard models.contains(where: { $0.name == target }) else {
            throw SchemaError(
                model: model.name, property: property.name,
                "refers to \(target), which is not registered. Add ModelAdmin(\(target).self) to the admin.")
        }
    }

    private mutating func addForeignKey(_ property: PropertySchema, of model: ModelSchema, to target: String) {
        let inverse = owners[PropertyName(model: model.name, property: property.name)]
        let declared = inverse?.options.deleteRule ?? .nullify
        foreignKeys.append(
            ForeignKey(
                model: model.name, property: property.name, target: target, isOptional: property.isOptional,
                deleteRule: declared == .nullify && !property.isOptional ? .deny : declared,
                inverse: inverse?.property.name, count: inverse?.count ?? .any
            ))
    }
}

private struct PropertyName: Hashable {
    let model: String
    let property: String
}

/// A to-many property with the model that it refers to.
private struct Side {
    let schema: ModelSchema
    let property: PropertySchema
    let other: ModelSchema
    let count: ModelCount

    init(_ property: PropertySchema, of model: ModelSchema, other: ModelSchema) throws(SchemaError) {
        schema = model
        self.property = property
        self.other = other
        count = LinkRelation.Side(property, of: model).count
        if count.minimum < 0 || count.maximum.map({ $0 < max(count.minimum, 1) }) ?? false {
            throw error(
                "asks for \(count.minimum) to \(count.maximum.map(String.init) ?? "any number") of \(other.name), which no record can have. Write a minimumModelCount of 0 or more, and a maximumModelCount of at least 1 that is not below it."
            )
        }
    }

    var model: String { schema.name }
    var name: PropertyName { PropertyName(model: model, property: property.name) }
    var isSymmetric: Bool { options.options.contains(.symmetric) }
    var options: RelationshipOptions { property.relationship ?? RelationshipOptions() }

    func error(_ reason: String) -> SchemaError {
        SchemaError(model: model, property: property.name, reason)
    }

    var withoutInverse: SchemaError {
        error(
            "names no inverse, and no property of \(other.name) names it as one. Write @Relationship(inverse: \\\(other.name).…) with the reference that points back, or with the Related<\(model)> of a many-to-many relation."
        )
    }
}

extension PropertyType {
    /// The model that a relation points to.
    package var model: String? {
        switch self {
        case .toOne(let model), .toMany(let model): model
        default: nil
        }
    }
}
