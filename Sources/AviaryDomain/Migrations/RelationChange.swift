/// A difference between a program's many-to-many relations and those of an older file.
package enum RelationChange: Sendable {
    case new(LinkRelation)
    case changed(ChangedRelation)
    /// A relation that the program no longer has. It may be removed when it has no links, which the caller checks.
    case missing(SchemaSummary.Relation, isGivenUp: Bool)
}

extension RelationChange {
    package var kind: SchemaDifference.Kind {
        switch self {
        case .new: .additive
        // A program with the older models would use a table that is missing or has changed.
        case .changed, .missing: .exclusive
        }
    }

    /// The name of the relation that has changed.
    package var subject: String {
        switch self {
        case .new(let relation): relation.name
        case .changed(let relation): relation.new.name
        case .missing(let relation, _): relation.name
        }
    }

    /// The step of the migration; nil when it depends on the existing links.
    var step: String? {
        switch self {
        case .new(let relation): "add the relation \(relation.name)"
        case .changed(let relation): relation.step
        case .missing: nil
        }
    }

    /// The names by which the links can be given up.
    var droppableNames: Set<String> {
        switch self {
        case .new: []
        case .changed(let relation): relation.isRetargeted ? [relation.old.name, relation.new.name] : []
        case .missing(let relation, _): [relation.name]
        }
    }
}

/// A many-to-many relation whose links are kept, before and after the change.
package struct ChangedRelation: Sendable {
    package let old: SchemaSummary.Relation
    package let new: LinkRelation
    /// Indicates whether the side that names the inverse was the inverse before.
    package let isReversed: Bool
    /// Indicates whether the records on the side that names the inverse belong to another model. A renamed model is
    /// the same model.
    package let retargetsSource: Bool
    package let retargetsTarget: Bool
    /// Indicates whether the migration may drop links that no longer fit.
    package let isGivenUp: Bool

    package var isRetargeted: Bool { retargetsSource || retargetsTarget }
    /// Indicates whether each link applies in both directions after the change.
    package var becomesSymmetric: Bool { new.isSymmetric && old.isSymmetric == false }
    private var becomesDirected: Bool { !new.isSymmetric && old.isSymmetric == true }

    /// The former names of the models, in the order of the new sides.
    private var models: (source: String, target: String) {
        isReversed ? (old.target, old.model) : (old.model, old.target)
    }

    /// Indicates whether the form of the stored links changes.
    package var movesLinks: Bool {
        old.name != new.name || models != (new.source.model, new.target.model) || becomesSymmetric
    }

    private var renamesInverse: Bool {
        guard !movesLinks, let inverse = old.inverse else { return false }
        return inverse != new.target.property
    }

    var isChange: Bool { movesLinks || becomesDirected || renamesInverse }

    var step: String {
        var parts: [String] = []
        if isReversed {
            parts.append("keep the links of \(old.name) as those of \(new.name), its other side")
        } else if old.name != new.name {
            parts.append("rename the relation \(old.name) to \(new.name)")
        }
        parts += retargeting
        if becomesSymmetric { parts.append("let each link of \(new.name) hold in both directions") }
        if becomesDirected {
            parts.append("let each link of \(new.name), which held in both directions, be two, one in each")
        } else if renamesInverse, let inverse = old.inverse {
            parts.append(
                "let \(new.target.model).\(new.target.property) be the other side of \(new.name), which was \(old.target).\(inverse)"
            )
        }
        return parts.joined(separator: "; ") + (isRetargeted && isGivenUp ? ", without the links that do not fit" : "")
    }

    private var retargeting: [String] {
        var parts: [String] = []
        if models.target != new.target.model {
            parts.append("let \(new.name) link to \(new.target.model), which linked to \(models.target)")
        }
        // If the model that names the inverse was renamed, the name of the relation already says so.
        if retargetsSource, !new.isSymmetric {
            parts.append(
                "let \(new.target.model).\(new.target.property) link to \(new.source.model), which linked to \(models.source)"
            )
        }
        return parts
    }
}

/// A comparison of the many-to-many relations of an older schema and a new one, which recognizes renamed relations.
struct RelationDifference {
    /// A side of a relation, by its current names.
    private struct End: Equatable {
        let model: String
        /// The name of the property; nil when it was not recorded.
        let property: String?

        init(_ side: LinkRelation.Side) { (model, property) = (side.model, side.property) }
        init(model: String, property: String?) { (self.model, self.property) = (model, property) }

        func fits(_ other: End) -> Bool { model == other.model && (property == nil || property == other.property) }
    }

    private struct Former {
        let relation: SchemaSummary.Relation
        let source: End
        let target: End
    }

    private(set) var changes: [RelationChange] = []
    private var formers: [Former]
    private var remaining: [LinkRelation]
    private let dropped: Set<String>

    /// Compares the relations.
    ///
    /// - Parameters:
    ///   - old: The older schema.
    ///   - new: The new schema.
    ///   - dropped: The names of models, properties and relations that may be lost.
    ///   - renamed: The new names of renamed models, by the old name.
    init(from old: SchemaSummary, to new: Schema, dropping dropped: Set<String>, renamed: [String: String]) {
        formers = old.relations.map { relation in
            let source = Self.end(relation.model, relation.property, in: new, renamed)
            let target = Self.end(relation.target, relation.inverse, in: new, renamed)
            return Former(relation: relation, source: source, target: target)
        }
        remaining = new.links
        self.dropped = dropped
        // Match relations with two equal sides before those that share one side only.
        match { former, source, target in former.source == source && former.target.fits(target) ? false : nil }
        match { former, source, target in former.source == target && former.target.fits(source) ? true : nil }
        match { former, source, _ in former.source == source ? false : nil }
        match { former, source, target in
            if former.target == target { return false }
            return former.target == source || former.source == target ? true : nil
        }
        changes += remaining.map(RelationChange.new)
        changes += formers.map { .missing($0.relation, isGivenUp: isGivenUp($0.relation)) }
    }

    private static func end(
        _ model: String, _ property: String?, in schema: Schema, _ renamed: [String: String]
    ) -> End {
        let model = renamed[model] ?? model
        guard let property, let properties = schema.model(model)?.properties,
            !properties.contains(where: { $0.name == property }),
            let successor = properties.first(where: { !$0.type.isStored && $0.originalName == property })
        else { return End(model: model, property: property) }
        return End(model: model, property: successor.name)
    }

    /// Matches the remaining relations with former ones.
    ///
    /// - Parameter fit: A closure that returns nil when the former relation does not have these sides, and otherwise
    ///   whether it is reversed.
    private mutating func match(_ fit: (Former, _ source: End, _ target: End) -> Bool?) {
        var unmatched: [LinkRelation] = []
        for relation in remaining {
            let source = End(relation.source), target = End(relation.target)
            guard let index = formers.firstIndex(where: { fit($0, source, target) != nil }),
                let isReversed = fit(formers[index], source, target)
            else {
                unmatched.append(relation)
                continue
            }
            let former = formers.remove(at: index)
            let ends = isReversed ? (former.target, former.source) : (former.source, former.target)
            let change = ChangedRelation(
                old: former.relation, new: relation, isReversed: isReversed,
                retargetsSource: ends.0.model != source.model, retargetsTarget: ends.1.model != target.model,
                isGivenUp: isGivenUp(former.relation) || dropped.contains(relation.name)
            )
            if change.isChange { changes.append(.changed(change)) }
        }
        remaining = unmatched
    }

    /// Indicates whether the links of a relation may be lost. Links to dropped records are dropped with them.
    private func isGivenUp(_ relation: SchemaSummary.Relation) -> Bool {
        !dropped.isDisjoint(with: [relation.name, relation.model, relation.target])
    }
}
