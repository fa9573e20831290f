import AviaryDomain
import Foundation

extension ListViewModel {
    /// So many of what stands against a delete are named.
    private static let mostNamed = 3
    private static let longestTitle = 60

    /// Some of the records that stand against the delete.
    func titles(against plan: DeletePlan, _ ids: [UUID], _ schema: Schema) async -> [DeleteObstacle: [RecordChoice]] {
        var titles: [DeleteObstacle: [RecordChoice]] = [:]
        for obstacle in plan.obstacles {
            titles[obstacle] = switch obstacle {
            case .referrers(let model, _): await self.titles(of: model, referringTo: ids, schema)
            case .relatedCount(let model, _, _, _, let first): await self.titles(of: first, in: model, schema)
            }
        }
        return titles
    }

    /// What the record is called; nil where the model may not be seen.
    func title(of id: UUID, in model: ModelSchema?) async -> String? {
        // The message reads well enough without the name.
        guard let model, let record = try? await others(model.name)?.find(id) else { return nil }
        return RecordName(principal: principal).name(of: record, in: model).map { Words.beginning(of: $0, longest: Self.longestTitle) }
    }

    private func titles(of ids: [UUID], in model: String, _ schema: Schema) async -> [RecordChoice] {
        guard principal.may(.view, model), let model = schema.model(model) else { return [] }
        var titles: [RecordChoice] = []
        for id in ids.prefix(Self.mostNamed) {
            if let title = await title(of: id, in: model) { titles.append(RecordChoice(id: id, title: title)) }
        }
        return titles
    }

    /// The first records of the model that forbid by their reference that these are deleted. None where they may not
    /// be seen, are linked by another relation, or cannot be read for a moment: then the number of them tells enough.
    func titles(of model: String, referringTo ids: [UUID], _ schema: Schema) async -> [RecordChoice] {
        guard principal.may(.view, model), let records = others(model) else { return [] }
        let references = schema.foreignKeys(to: self.schema.name).filter { $0.model == model && $0.deleteRule == .deny }
        var found: [UUID] = []
        for reference in references where found.count < Self.mostNamed {
            let refers = QueryExpression.isMember(.property(reference.property), of: ids.map(\.fieldValue))
            let others = try? await records.fetch(RecordQuery(condition: refers, limit: Self.mostNamed))
            found += (others ?? []).map(\.id).filter { !ids.contains($0) && !found.contains($0) }
        }
        return await titles(of: found, in: model, schema)
    }
}
