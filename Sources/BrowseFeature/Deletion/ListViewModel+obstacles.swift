import AviaryDomain
import Foundation

extension ListViewModel {
    /// So many of what stands against a delete are named.
    private static let mostNamed = 3
    private static let longestTitle = 60

    /// Some of the records that stand against the delete, by model.
    func titles(against plan: DeletePlan, _ ids: [UUID], _ schema: Schema) async -> [String: [RecordChoice]] {
        var titles: [String: [RecordChoice]] = [:]
        for case .referrers(let model, _) in plan.obstacles { titles[model] = await self.titles(of: model, referringTo: ids, schema) }
        return titles
    }

    /// What the record is called; nil where the model may not be seen.
    func title(of id: UUID, in model: ModelSchema?) async -> String? {
        // The message reads well enough without the name.
        guard let model, let record = try? await others(model.name)?.find(id) else { return nil }
        let title = record.title(in: model)
        return title == id.canonicalText ? nil : Words.beginning(of: title, longest: Self.longestTitle)
    }

    /// The first records of the model that forbid by their reference that these are deleted. None where they may not
    /// be seen, are linked by another relation, or cannot be read for a moment: then the number of them tells enough.
    func titles(of model: String, referringTo ids: [UUID], _ schema: Schema) async -> [RecordChoice] {
        guard principal.may(.view, model), let referrer = schema.model(model), let records = others(model) else { return [] }
        let references = schema.foreignKeys(to: self.schema.name).filter { $0.model == model && $0.deleteRule == .deny }
        var titles: [RecordChoice] = []
        for reference in references where titles.count < Self.mostNamed {
            let refers = QueryExpression.isMember(.property(reference.property), of: ids.map(\.fieldValue))
            let found = try? await records.fetch(RecordQuery(condition: refers, limit: Self.mostNamed - titles.count))
            titles += (found ?? []).filter { !ids.contains($0.id) }.map { record in
                let title = record.title(in: referrer)
                let isNamed = title != record.id.canonicalText
                return RecordChoice(id: record.id, title: isNamed ? Words.beginning(of: title, longest: Self.longestTitle) : "")
            }
        }
        return titles.filter { !$0.title.isEmpty }
    }
}
