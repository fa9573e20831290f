import AviaryDomain
import Foundation

extension ListViewModel {
    /// Those of the configuration's, which has only what may be seen.
    var filters: [ListFilter] { configuration.filters }

    /// Reads what the related records are called that the list is narrowed by.
    mutating func loadFilterTitles() async throws {
        for setting in query.settings {
            guard let filter = configuration.filter(setting.property), case .relation(let model) = filter.kind,
                let repository = others(model)
            else { continue }
            let ids = setting.values.compactMap { value in
                if case .text(let text) = value { UUID(canonicalText: text) } else { nil }
            }
            guard !ids.isEmpty else { continue }
            let titles = try await repository.choices(of: ids).map { ($0.id, $0.title) }
            filterTitles[setting.property] = Dictionary(titles, uniquingKeysWith: { first, _ in first })
        }
    }

    /// So many related records are offered; a search finds the others.
    static var mostOffered: Int { 20 }

    /// Reads what the filters' panel offers of related records: those that are chosen, and the first, or those that are looked
    /// for.
    package mutating func loadPanel() async {
        guard case .filters(let find) = panel else { return }
        for filter in filters {
            guard case .relation(let model) = filter.kind, let repository = others(model) else { continue }
            do {
                let wanted = find[filter.property] ?? ""
                let found =
                    wanted.allSatisfy(\.isWhitespace)
                    ? ChoiceMatches(
                        choices: try await repository.choices(limit: Self.mostOffered + 1), isComplete: true)
                    : try await repository.choices(matching: wanted, limit: Self.mostOffered + 1)
                let chosen = (filterTitles[filter.property] ?? [:]).map { RecordChoice(id: $0.key, title: $0.value) }
                    .sorted { $0.title < $1.title }
                let ids = Set(chosen.map(\.id))
                let others = found.choices.prefix(Self.mostOffered).filter { !ids.contains($0.id) }
                offers[filter.property] = FilterOffer(
                    choices: chosen + others, hasMore: found.choices.count > Self.mostOffered || !found.isComplete,
                    find: wanted
                )
            } catch {
                // The panel says so in their place; the list stands.
                offers[filter.property] = FilterOffer(
                    choices: [], hasMore: false, find: find[filter.property] ?? "", isUnreadable: true)
            }
        }
    }
}

/// What a panel offers of a relation.
struct FilterOffer: Sendable, Hashable {
    let choices: [RecordChoice]
    /// Whether there are others, or may be.
    let hasMore: Bool
    let find: String
    var isUnreadable = false
}
