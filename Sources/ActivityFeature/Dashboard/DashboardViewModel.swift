package import AviaryDomain
package import Foundation

/// The overview: what there is, what was done, and how the store fares.
package struct DashboardViewModel: Sendable {
    /// A model with its total.
    struct Total: Sendable {
        let schema: ModelSchema
        /// Nil when it cannot be read.
        let count: Int?
    }

    let scope: ActivityScope
    let now: Date
    private(set) var totals: [Total] = []
    /// Nil where it may not be seen, or cannot be read.
    private(set) var recent: [CommitStory]?
    private(set) var words: ChangeWords?
    package private(set) var figures: DashboardFigures?
    package private(set) var health: StoreHealth?

    private static let mostRecent = 6

    package init(scope: ActivityScope, at now: Date) {
        self.scope = scope
        self.now = now
    }

    var principal: Principal { scope.principal }

    /// Reads what may be seen; a part that cannot be read is missing, and the rest is there.
    package mutating func load(
        history: any HistoryRepository, figures: CachedValue<DashboardFigures>, health: CachedValue<StoreHealth>
    ) async {
        for records in scope.records where !records.schema.isBuiltIn {
            // The card is there without a number.
            totals.append(Total(schema: records.schema, count: try? await records.count()))
        }
        // Nil is shown as nothing; the activity's own page says why.
        if principal.may(.activity) { try? await readRecent(history) }
        self.figures = await figures.current()
        self.health = await health.current()
    }

    private mutating func readRecent(_ history: any HistoryRepository) async throws {
        let commits = try await history.commits(HistoryQuery(models: scope.models, limit: Self.mostRecent))
        let read = try await CommitStory.read(commits.map(\.number), in: scope, history: history, limit: 1)
        let stories = commits.compactMap { read[$0.number] }
        words = try await ChangeWords(stories.flatMap(\.changes), in: scope, history: history)
        recent = stories
    }

    /// Changes of what may be seen, on each of the days.
    var changesByDay: [(day: String, count: Int)]? {
        guard principal.may(.activity), let figures else { return nil }
        let counts = figures.changes.filter { scope.models.contains($0.key) }.values
        return figures.days.enumerated().map { index, day in
            (day, counts.reduce(0) { $0 + ($1.indices.contains(index) ? $1[index] : 0) })
        }
    }

    var distributions: [DashboardFigures.Distribution] {
        figures?.distributions.filter { distribution in
            guard let schema = scope.schema(distribution.model), !distribution.counts.isEmpty else { return false }
            return scope.principal.maySee(distribution.property.name, of: schema)
        } ?? []
    }
}

/// What the overview draws: of all models, whoever asks.
package struct DashboardFigures: Sendable {
    /// The days of which changes were counted, the oldest first, in UTC.
    let days: [String]
    /// Changes on each of the days, by model.
    let changes: [String: [Int]]
    let distributions: [Distribution]
    /// When they were counted.
    package let time: Date

    /// How many records of a model have each of some choices.
    struct Distribution: Sendable {
        let model: String
        let property: PropertySchema
        let counts: [ValueCount]
    }

    /// Seconds for which they are kept.
    package static let lifetime = 60
    private static let dayCount = 30
    /// More bars than one can tell apart.
    static let mostValues = 8
    private static let mostDistributions = 6

    /// - Parameter models: In the admin's order.
    /// - Throws: `ReadError`.
    package static func count(
        _ models: [ModelConfiguration], statistics: any StatisticsRepository, at now: Date
    ) async throws -> DashboardFigures {
        let today = Date(rfc3339: now.day + "T00:00Z") ?? now
        let starts = (0..<dayCount).map { today.addingTimeInterval(Double($0 - dayCount + 1) * 86_400) }
        let end = today.addingTimeInterval(86_400)
        let changes = try await statistics.changes(of: Set(models.map(\.schema.name)), between: starts + [end])
        var distributions: [Distribution] = []
        for model in models where distributions.count < mostDistributions {
            guard let property = model.firstChoice else { continue }
            // A model that is too large to be counted in time has no figure; the others have.
            guard
                let counts = try? await statistics.distribution(
                    of: property.name, in: model.schema.name, limit: mostValues)
            else { continue }
            distributions.append(Distribution(model: model.schema.name, property: property, counts: counts))
        }
        return DashboardFigures(
            days: starts.map(\.day), changes: changes, distributions: distributions, time: now
        )
    }
}

extension ModelConfiguration {
    /// The first column that shows one of a few choices.
    fileprivate var firstChoice: PropertySchema? {
        columns.lazy.compactMap(schema.property).first { property in
            switch property.type {
            case .choice, .integerChoice: !property.isSecret
            default: false
            }
        }
    }
}
