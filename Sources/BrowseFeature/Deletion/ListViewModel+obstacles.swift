import AviaryDomain
import Foundation

extension ListViewModel {
    /// So many of what stands against a delete are named.
    private static let mostNamed = 3
    private static let longestTitle = 60

    /// Some of the records that stand against the delete.
    func titles(against plan: DeletePlan, _ schema: Schema) async -> [DeleteObstacle: [RecordChoice]] {
        var titles: [DeleteObstacle: [RecordChoice]] = [:]
        for obstacle in plan.obstacles {
            switch obstacle {
            case .referrers(let model, _, let first), .relatedCount(let model, _, _, _, let first):
                titles[obstacle] = await self.titles(of: first, in: model, schema)
            }
        }
        return titles
    }

    /// What the record is called; nil where the model may not be seen.
    func title(of id: UUID, in model: ModelSchema?) async -> String? {
        // The message reads well enough without the name.
        guard let model, let record = try? await others(model.name)?.find(id) else { return nil }
        return RecordName(principal: principal).name(of: record, in: model).map {
            Words.beginning(of: $0, longest: Self.longestTitle)
        }
    }

    private func titles(of ids: [UUID], in model: String, _ schema: Schema) async -> [RecordChoice] {
        guard principal.may(.view, model), let model = schema.model(model) else { return [] }
        var titles: [RecordChoice] = []
        for id in ids.prefix(Self.mostNamed) {
            if let title = await title(of: id, in: model) { titles.append(RecordChoice(id: id, title: title)) }
        }
        return titles
    }
}
