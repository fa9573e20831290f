/// Finds the many-to-many relations again that something older had, under whatever names.
struct RelationDifference {
    /// A side by the names that it has now.
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

    /// - Parameter renamed: The models that are called otherwise now.
    init(from old: SchemaSummary, to new: Schema, dropping dropped: Set<String>, renamed: [String: String]) {
        formers = old.relations.map { relation in
            let source = Self.end(relation.model, relation.property, in: new, renamed)
            let target = Self.end(relation.target, relation.inverse, in: new, renamed)
            return Former(relation: relation, source: source, target: target)
        }
        remaining = new.links
        self.dropped = dropped
        // A relation with both of its sides comes before one that shares a side only.
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

    /// - Parameter fit: Whether the former relation is the one with these sides: nil if not, else whether it is
    ///   reversed.
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

    /// Links to records that are given up are given up with them.
    private func isGivenUp(_ relation: SchemaSummary.Relation) -> Bool {
        !dropped.isDisjoint(with: [relation.name, relation.model, relation.target])
    }
}
