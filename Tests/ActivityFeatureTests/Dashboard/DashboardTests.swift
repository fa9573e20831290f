import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import ActivityFeature

@Suite("The dashboard")
struct DashboardTests {
    private static let health = StoreHealth(
        store: StoreHealth.Store(fileCheck: .notNeeded, waiting: 0), size: 3 << 20,
        lastBackup: SnapshotFile(
            name: "Zoo-1.jsonl.gz", size: 12_345, writtenAt: ActivityFixture.start.addingTimeInterval(-7200), proof: nil
        )
    )

    private func model(
        _ fixture: ActivityFixture, _ role: Role = .admin, policy: HistoryPolicy = HistoryPolicy(),
        health: StoreHealth = health
    ) async throws -> DashboardViewModel {
        let configurations = [Animal.schema, Category.schema, Note.schema].map {
            ModelConfiguration(schema: $0, columns: $0.storedProperties.map(\.name))
        }
        let (statistics, now) = (fixture.statistics, fixture.now)
        var model = DashboardViewModel(scope: fixture.scope(role), policy: policy, at: fixture.now)
        // The wait is long, because these tests are not about the delay on a busy machine.
        await model.load(
            history: fixture.history,
            figures: CachedValue(for: .seconds(60), patience: Patience.bound) {
                try await DashboardStatistics.count(configurations, statistics: statistics, at: now)
            },
            health: CachedValue(for: .seconds(5), patience: Patience.bound) { health }
        )
        return model
    }

    private func fill(_ fixture: ActivityFixture) async throws {
        try await fixture.submit(.insert(Category(name: "Parrots")))
        try await fixture.submit((0..<3).map { .insert(Animal(name: "Kea \($0)")) })
        try await fixture.submit(.insert(Animal(name: "Eagle", diet: .carnivorous)))
    }

    @Test("The dashboard shows totals, changes, choices, recent activity and health")
    func everything() async throws {
        let fixture = try ActivityFixture()
        try await fill(fixture)
        let words = DashboardView(model: try await model(fixture)).words
        #expect(words.contains("5 changes in the last 30 days, most on 15 Jan 2027 (5)."))
        #expect(
            words.contains("Animals by diet") && words.contains("Herbivorous 3 75%")
                && words.contains("Carnivorous 1 25%"))
        #expect(words.contains("Added animal “Eagle”"))
        #expect(words.contains("2 hours ago, 12 KiB: Zoo-1.jsonl.gz") && words.contains("3.0 MiB"))
        #expect(words.contains("Charts updated just now."))
    }

    @Test("Changes are counted as changes, and for the days that the history has")
    func period() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        let words = DashboardView(model: try await model(fixture)).words
        #expect(words.contains("1 change in the last 30 days, on 15 Jan 2027."))
        _ = try await fixture.update(kea, ["name": .text("Kaka")])
        let week = DashboardView(
            model: try await model(fixture, policy: HistoryPolicy(maximumAge: .seconds(7 * 86_400)))
        ).words
        #expect(week.contains("2 changes in the last 7 days, most on 15 Jan 2027 (2)."), "one record was changed")
    }

    @Test("Charts that do not agree with the totals are counted again, however young they are")
    func agreement() async throws {
        let fixture = try ActivityFixture()
        try await fill(fixture)
        let configurations = [ModelConfiguration(schema: Animal.schema, columns: ["name", "diet"])]
        let (statistics, now) = (fixture.statistics, fixture.now)
        let figures = CachedValue(for: .seconds(600), patience: Patience.bound) {
            try await DashboardStatistics.count(configurations, statistics: statistics, at: now)
        }
        func overview() async throws -> DashboardViewModel {
            var model = DashboardViewModel(scope: fixture.scope(), at: fixture.now)
            await model.load(
                history: fixture.history, figures: figures,
                health: CachedValue(for: .seconds(5), patience: Patience.bound) { Self.health })
            return model
        }
        #expect(DashboardView(model: try await overview()).words.contains("Carnivorous 1 25%"))
        try await fixture.submit(.insert(Animal(name: "Owl", diet: .carnivorous)))
        // The time of a count limits how often charts are counted again.
        var model = try await overview()
        while model.figures?.isOutdated(at: now, totals: ["Animal": 5]) == true {
            await Task.yield()
            model = try await overview()
        }
        #expect(DashboardView(model: model).words.contains("Carnivorous 2 40%"))
        let total = model.totals.first { $0.schema.name == "Animal" }?.count
        #expect(total == model.distributions.first?.counts.map(\.count).reduce(0, +) && total == 5)
    }

    @Test("Charts older than a minute are outdated")
    func outdatedCharts() async throws {
        let fixture = try ActivityFixture()
        let figures = try await DashboardStatistics.count([], statistics: fixture.statistics, at: fixture.now)
        #expect(!figures.isOutdated(at: fixture.now.addingTimeInterval(59), totals: [:]))
        #expect(figures.isOutdated(at: fixture.now.addingTimeInterval(60), totals: [:]))
    }

    @Test("Each of 30 days has a bar and a table row")
    func days() async throws {
        let fixture = try ActivityFixture()
        try await fill(fixture)
        fixture.pass(86_400 * 2)
        try await fixture.submit(.insert(Animal(name: "Kaka")))
        let model = try await model(fixture)
        let counts = model.changesByDay?.map(\.count) ?? []
        #expect(counts.count == 30 && counts.last == 1 && counts[27] == 5 && counts.reduce(0, +) == 6)
        let html = DashboardView(model: model).html
        #expect(html.matches(of: /<rect [^>]*height="\d+"\/>/).count >= 30)
        #expect(html.contains(#"<th scope="row">15 Jan 2027</th><td class="number">5</td>"#))
    }

    @Test("The figures omit models that the role cannot view")
    func hidden() async throws {
        let fixture = try ActivityFixture()
        try await fill(fixture)
        let keeper = try await model(fixture, .keeper)
        #expect(keeper.changesByDay?.map(\.count).reduce(0, +) == 4)
        #expect(!DashboardView(model: keeper).html.contains("ategor"))
        #expect(!DashboardView(model: keeper).words.contains("Health"))
        let viewer = try await model(fixture, .viewer)
        #expect(viewer.changesByDay == nil && viewer.recent == nil)
    }

    @Test("An unavailable store is reported to every role")
    func away() async throws {
        let fixture = try ActivityFixture()
        let away = StoreHealth(store: nil, size: 0, lastBackup: nil, backupWarning: "The next backup is overdue.")
        #expect(
            DashboardView(model: try await model(fixture, .viewer, health: away)).words.contains(
                "can’t save changes right now")
        )
        let words = DashboardView(model: try await model(fixture, health: away)).words
        #expect(words.contains("None in the data directory yet. The next backup is overdue."))
    }

    @Test("The health section shows the result of the last data check")
    func dataCheck() async throws {
        let fixture = try ActivityFixture()
        func words(_ problems: [String]) async throws -> String {
            let report = DataCheckReport(
                endedAt: Date(timeIntervalSince1970: 1_800_000_000), seconds: 1, records: 3, entries: 4,
                problems: problems, problemCount: problems.count, areAllDerived: true)
            let health = StoreHealth(
                store: nil, size: 0, lastBackup: nil,
                dataCheck: DataCheckState(interval: 86_400, since: report.endedAt, last: report))
            return DashboardView(model: try await model(fixture, health: health)).words
        }
        #expect(try await words([]).contains("Check passed"))
        let problem = "The total of Animal is 4, and there are 3 records."
        #expect(try await words([problem]).contains("The last data check found 1 problem: \(problem)"))
    }

    @Test("The charts contain no style or script")
    func policy() async throws {
        let fixture = try ActivityFixture()
        try await fill(fixture)
        let html = DashboardView(model: try await model(fixture)).html
        #expect(!html.contains("style=") && !html.contains("<script") && !html.contains("<style"))
    }
}
