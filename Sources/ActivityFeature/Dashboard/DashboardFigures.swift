package import AviaryDomain
package import Foundation

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
