package import AviaryDomain
package import Foundation

/// The view model of the overview: the totals, the latest changes, and the health of the store.
package struct DashboardViewModel: Sendable {
    /// A model with its total.
    struct Total: Sendable {
        let schema: ModelSchema
        /// The number of records; nil if it cannot be read.
        let count: Int?
    }

    let scope: ActivityScope
    let now: Date
    private(set) var totals: [Total] = []
    /// The latest commits; nil if the user is not allowed to see them or they cannot be read.
    private(set) var recent: [VisibleCommit]?
    private(set) var words: ChangeFormatter?
    package private(set) var figures: DashboardStatistics?
    package private(set) var health: StoreHealth?

    private static let mostRecent = 6

    private let policy: HistoryPolicy
    private let longChange: @Sendable () async -> LongChangeStatus?

    /// Creates the view model.
    ///
    /// - Parameter longChange: A closure that returns the large change under way; nil if there is none.
    package init(
        scope: ActivityScope, policy: HistoryPolicy = HistoryPolicy(), at now: Date,
        longChange: @escaping @Sendable () async -> LongChangeStatus? = { nil }
    ) {
        self.scope = scope
        self.policy = policy
        self.now = now
        self.longChange = longChange
    }

    /// The number of days for which the history is kept, at least one.
    var historyDays: Int { max(1, Int(policy.maximumAge.components.seconds / 86_400)) }

    var principal: Principal { scope.principal }

    /// Reads the visible parts. A part that cannot be read is missing; the others are shown.
    package mutating func load(
        history: any HistoryRepository, figures: CachedValue<DashboardStatistics>, health: CachedValue<StoreHealth>
    ) async {
        totals = await readTotals()
        // If the commits cannot be read, the section is missing. The activity page shows the reason.
        if principal.may(.activity) { try? await readRecent(history) }
        let (counts, now) = (counts, now)
        self.figures = await figures.current { $0.isOutdated(at: now, totals: counts) }
        // Records can be added between the two counts. The later totals agree with the charts.
        if let figures = self.figures, figures.isOutdated(at: now, totals: counts) { totals = await readTotals() }
        self.health = await health.current()
    }

    private func readTotals() async -> [Total] {
        var totals: [Total] = []
        for records in scope.records where !records.schema.isBuiltIn {
            // If the count cannot be read, the card is shown without a number.
            totals.append(Total(schema: records.schema, count: try? await records.count()))
        }
        return totals
    }

    /// The numbers of records that were read, by model.
    private var counts: [String: Int] {
        Dictionary(
            totals.compactMap { total in total.count.map { (total.schema.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private mutating func readRecent(_ history: any HistoryRepository) async throws {
        let running = await longChange()
        let commits = try await history.commits(HistoryQuery(models: scope.models, limit: Self.mostRecent))
        let read = try await VisibleCommit.read(
            commits.map(\.number), in: scope, history: history, limit: 1, during: running)
        let stories = commits.compactMap { read[$0.number] }
        words = try await ChangeFormatter(stories.flatMap(\.changes), in: scope, history: history)
        recent = stories
    }

    /// The number of visible changes on each day.
    var changesByDay: [(day: String, count: Int)]? {
        guard principal.may(.activity), let figures else { return nil }
        let counts = figures.changes.filter { scope.models.contains($0.key) }.values
        return figures.days.enumerated().map { index, day in
            (day, counts.reduce(0) { $0 + ($1.indices.contains(index) ? $1[index] : 0) })
        }
    }

    var distributions: [DashboardStatistics.Distribution] {
        figures?.distributions.filter { distribution in
            guard let schema = scope.schema(distribution.model), !distribution.counts.isEmpty else { return false }
            return scope.principal.maySee(distribution.property.name, of: schema)
        } ?? []
    }
}

/// The figures of the overview's charts. They cover all models and are the same for all users.
package struct DashboardStatistics: Sendable {
    /// The days for which changes were counted, oldest first, in UTC.
    let days: [String]
    /// The number of changes on each day, by model.
    let changes: [String: [Int]]
    let distributions: [Distribution]
    /// The time of the count.
    package let time: Date

    /// The number of a model's records for each value of a property with choices.
    struct Distribution: Sendable {
        let model: String
        let property: PropertySchema
        let counts: [ValueCount]
    }

    /// The time in seconds for which the figures are cached.
    package static let lifetime = 60
    private static let dayCount = 30
    /// The largest number of bars in a chart. More bars are hard to tell apart.
    static let mostValues = 8
    private static let mostDistributions = 6

    /// Counts the figures.
    ///
    /// - Parameter models: The models in the admin's order.
    /// - Throws: `ReadError`.
    package static func count(
        _ models: [ModelConfiguration], statistics: any StatisticsRepository, at now: Date
    ) async throws -> DashboardStatistics {
        let today = Date(rfc3339: now.dayInUTC + "T00:00Z") ?? now
        let starts = (0..<dayCount).map { today.addingTimeInterval(Double($0 - dayCount + 1) * 86_400) }
        let end = today.addingTimeInterval(86_400)
        let changes = try await statistics.changes(of: Set(models.map(\.schema.name)), between: starts + [end])
        var distributions: [Distribution] = []
        for model in models where distributions.count < mostDistributions {
            guard let property = model.firstChoice else { continue }
            guard
                // A model that is too large to count in time has no chart. The others have one.
                let counts = try? await statistics.distribution(
                    of: property.name, in: model.schema.name, limit: mostValues)
            else { continue }
            distributions.append(Distribution(model: model.schema.name, property: property, counts: counts))
        }
        return DashboardStatistics(
            days: starts.map(\.dayInUTC), changes: changes, distributions: distributions, time: now
        )
    }
}

extension DashboardStatistics {
    /// Returns whether the figures are older than their lifetime, or a chart does not agree with the totals.
    ///
    /// - Parameters:
    ///   - now: The time of the page.
    ///   - totals: The numbers of records, by model.
    func isOutdated(at now: Date, totals: [String: Int]) -> Bool {
        if now.timeIntervalSince(time) >= Double(Self.lifetime) { return true }
        return distributions.contains { distribution in
            guard let total = totals[distribution.model] else { return false }
            let counted = distribution.counts.map(\.count).reduce(0, +)
            // A chart with the most bars does not show the records with other values one by one.
            return distribution.counts.count == Self.mostValues ? counted > total : counted != total
        }
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
