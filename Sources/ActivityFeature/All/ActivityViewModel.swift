package import AviaryDomain
package import Foundation

/// The view model of the activity: all changes that a user is allowed to see, or a filtered part of them.
package struct ActivityViewModel: Sendable {
    package let query: ActivityQuery
    let scope: ActivityScope
    let policy: HistoryPolicy
    let history: any HistoryRepository
    let now: Date
    private let imports: @Sendable (Range<Date>) async throws -> [AuditEvent]
    /// The model that the activity is filtered by.
    let schema: ModelSchema?
    /// The commits, newest first, once loaded.
    package private(set) var stories: [VisibleCommit]?
    private(set) var words: ChangeFormatter?
    /// The position where the next page begins.
    package private(set) var next: Int64?
    /// The series of commits that have an entry on this page or an earlier one, and may continue on the next.
    private(set) var openSeries: [UUID] = []
    package private(set) var errorMessage: String?

    private static let pageSize = 50

    /// Creates the view model.
    ///
    /// - Parameter imports: A closure that returns the events of imports that began within a time. The commits of each
    ///   are one entry.
    /// - Throws: ``AccessError``: `hidden` for a model that does not exist or is not visible.
    package init(
        query: ActivityQuery, scope: ActivityScope, policy: HistoryPolicy, history: any HistoryRepository, at now: Date,
        imports: @escaping @Sendable (Range<Date>) async throws -> [AuditEvent] = { _ in [] }
    ) throws(AccessError) {
        try scope.principal.check(.activity)
        schema = query.model.flatMap { scope.schema(slug: $0) }
        guard query.model == nil || schema != nil else { throw .hidden }
        self.query = query
        self.scope = scope
        self.policy = policy
        self.history = history
        self.now = now
        self.imports = imports
    }

    package mutating func load() async {
        do {
            let page = try await ActivityPage.read(
                HistoryQuery(
                    models: schema.map { [$0.name] } ?? scope.models, author: query.person, time: query.time,
                    before: query.before),
                size: Self.pageSize, shown: query.series, history: history, imports: imports)
            let read = try await VisibleCommit.read(page.commits, in: scope, history: history)
            let stories = page.commits.compactMap { number in
                read[number].map { story in
                    var story = story
                    story.series = page.imports[number]
                    return story
                }
            }
            words = try await ChangeFormatter(
                stories.filter { $0.series == nil }.flatMap(\.changes), in: scope, history: history)
            next = page.next
            openSeries = page.open
            self.stories = stories
        } catch {
            errorMessage = localized(
                "Couldn’t load the activity. Try again, or choose fewer days.")
        }
    }

    /// The names of visible models for which no history is kept.
    var withoutHistory: [String] {
        scope.records.map(\.schema).filter { policy.excludedModels.contains($0.name) }.map(\.pluralName)
    }
}
