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
        // Whoever knows the older models would look into a table that is not there, or is another.
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

/// A many-to-many relation whose links are kept, as it was and as it is.
package struct ChangedRelation: Sendable {
    package let old: SchemaSummary.Relation
    package let new: LinkRelation
    /// A Boolean value that indicates whether the side that names the inverse was the inverse before.
    package let isReversed: Bool
    /// A Boolean value that indicates whether the records on that side are of another model, other than the same one
    /// renamed.
    package let retargetsSource: Bool
    package let retargetsTarget: Bool
    /// A Boolean value that indicates whether links that no longer fit may be lost.
    package let isGivenUp: Bool

    package var isRetargeted: Bool { retargetsSource || retargetsTarget }
    /// Each link then holds in both directions.
    package var becomesSymmetric: Bool { new.isSymmetric && old.isSymmetric == false }
    private var becomesDirected: Bool { !new.isSymmetric && old.isSymmetric == true }

    /// The models as they were called, in the order in which they are.
    private var models: (source: String, target: String) {
        isReversed ? (old.target, old.model) : (old.model, old.target)
    }

    /// A Boolean value that indicates whether the links are stored in another form than before.
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
        // The name of the relation tells of another name of that model.
        if retargetsSource, !new.isSymmetric {
            parts.append(
                "let \(new.target.model).\(new.target.property) link to \(new.source.model), which linked to \(models.source)"
            )
        }
        return parts
    }
}
