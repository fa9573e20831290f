package import AviaryDomain
package import Foundation

/// The view model of the activity: all changes that a user is allowed to see, or a filtered part of them.
package struct ActivityViewModel: Sendable {
    package let query: ActivityQuery
    let scope: ActivityScope
    let policy: HistoryPolicy
    let history: any HistoryRepository
    let now: Date
    /// The model that the activity is filtered by.
    let schema: ModelSchema?
    /// The commits, newest first, once loaded.
    package private(set) var stories: [VisibleCommit]?
    private(set) var words: ChangeFormatter?
    /// The position where the next page begins.
    package private(set) var next: Int64?
    package private(set) var errorMessage: String?

    private static let pageSize = 50

    /// Creates the view model.
    ///
    /// - Throws: ``AccessError``: `hidden` for a model that does not exist or is not visible.
    package init(
        query: ActivityQuery, scope: ActivityScope, policy: HistoryPolicy, history: any HistoryRepository, at now: Date
    ) throws(AccessError) {
        try scope.principal.check(.activity)
        schema = query.model.flatMap { scope.schema(slug: $0) }
        guard query.model == nil || schema != nil else { throw .hidden }
        self.query = query
        self.scope = scope
        self.policy = policy
        self.history = history
        self.now = now
    }

    package mutating func load() async {
        do {
            let commits = try await history.commits(
                HistoryQuery(
                    models: schema.map { [$0.name] } ?? scope.models, author: query.person, time: query.time,
                    before: query.before,
                    limit: Self.pageSize + 1
                ))
            let numbers = commits.prefix(Self.pageSize).map(\.number)
            let read = try await VisibleCommit.read(numbers, in: scope, history: history)
            let stories = numbers.compactMap { read[$0] }
            words = try await ChangeFormatter(stories.flatMap(\.changes), in: scope, history: history)
            next = commits.count > Self.pageSize ? numbers.last : nil
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
