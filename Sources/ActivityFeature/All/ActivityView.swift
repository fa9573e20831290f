package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The page of the activity.
package struct ActivityView: Component {
    let model: ActivityViewModel
    let csrf: String
    let notices: [Notice]

    package init(model: ActivityViewModel, csrf: String, notices: [Notice] = []) {
        self.model = model
        self.csrf = csrf
        self.notices = notices
    }

    package static var title: String { localized("Activity") }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title, count: nil, addTitle: "", addHref: nil))
        html.render(ActivityTabs(current: .changes, principal: model.scope.principal))
        for notice in notices { html.render(notice) }
        html.render(filter)
        let explanation = dayFields.notice(at: ActivityPaths.all)
        if let explanation { html.render(explanation) }
        if let message = model.errorMessage { html.render(Notice(.failure, message)) }
        guard let stories = model.stories, let words = model.words else { return }
        if stories.isEmpty {
            if explanation == nil { html.render(empty) }
        } else {
            html.render(ActivityList(days: days(stories, words)))
            html.render(footer(stories.count))
        }
        keeping(into: &html)
    }

    private var query: ActivityQuery { model.query }
    private var here: String { ActivityPaths.all.withQuery(query.text) }

    private var dayFields: ActivityDayFields { ActivityDayFields(query: query) }

    private func days(_ stories: [VisibleCommit], _ words: ChangeFormatter) -> [ActivityList.Day] {
        ActivityDays.days(
            stories.map { ($0.commit.time, $0.entry(words, query: query, csrf: csrf, back: here, at: model.now)) },
            at: model.now
        )
    }

    private var filter: FilterForm {
        let models = model.scope.records.map { Option(value: $0.schema.slug, label: $0.schema.pluralTitle) }
        return FilterForm(
            action: ActivityPaths.all,
            fields: [
                Field(
                    name: "model", label: localized("Type"),
                    control: .select(options: models, selected: query.model, prompt: localized("All"))),
                Field(
                    name: "person", label: localized("Person"),
                    control: .text(value: query.person ?? "", maxLength: 100)),
            ] + dayFields.fields, isActive: query.isFiltered, clearHref: ActivityPaths.all
        )
    }

    private var empty: EmptyState {
        guard query.isFiltered || query.before != nil else {
            return EmptyState(
                title: localized("No activity yet"),
                text: localized("Added, changed and deleted records appear here. You can undo each change."),
                actionTitle: nil, actionHref: nil
            )
        }
        return EmptyState(
            title: localized("No results"),
            text: model.schema.flatMap(withoutHistory)
                ?? localized("No activity in the history matches these filters."),
            actionTitle: localized("Clear filters"), actionHref: ActivityPaths.all
        )
    }

    private func withoutHistory(_ schema: ModelSchema) -> String? {
        model.policy.excludedModels.contains(schema.name)
            ? localized("No history is kept for \(schema.pluralName).") : nil
    }

    private func footer(_ count: Int) -> PageFooter {
        PageFooter(
            summary: localized(count, one: "1 step", other: "\(count) steps"),
            previousHref: query.before == nil ? nil : ActivityPaths.all.withQuery(query.with { _ in }.text),
            previousTitle: localized("Newest"),
            nextHref: model.next.map { next in
                ActivityPaths.all.withQuery(query.with { ($0.before, $0.series) = (next, model.openSeries) }.text)
            },
            nextTitle: localized("Older")
        )
    }

    /// Renders the retention period and the models without a history.
    private func keeping(into html: inout HTML) {
        let days = model.policy.maximumAge.components.seconds / 86_400
        var text = localized(
            "History is kept for \(Int(days)) days or up to \(model.policy.maximumSize >> 20) MiB."
        )
        if !model.withoutHistory.isEmpty {
            text += " " + localized("No history is kept for \(TextFormatter.list(model.withoutHistory)).")
        }
        html.element("p", .class("fine-print"), text: text)
    }
}

/// The grouping of entries by day in the zone of the page.
enum ActivityDays {
    static func days(_ entries: [(time: Date, entry: ActivityEntry)], at now: Date) -> [ActivityList.Day] {
        var days: [(day: String, entries: [ActivityEntry])] = []
        for (time, entry) in entries {
            let day = time.day
            if days.last?.day == day {
                days[days.count - 1].entries.append(entry)
            } else {
                days.append((day, [entry]))
            }
        }
        return days.map { ActivityList.Day(title: title($0.day, at: now), entries: $0.entries) }
    }

    private static func title(_ day: String, at now: Date) -> String {
        if day == now.day { return localized("Today") }
        if day == now.addingTimeInterval(-86_400).day { return localized("Yesterday") }
        return DateTextFormatter.day(day)
    }
}

/// The view model of the activity: all changes that a user is allowed to see, or a filtered part of them.
package struct ActivityViewModel: Sendable {
    package let query: ActivityQuery
    let scope: ActivityScope
    let policy: HistoryPolicy
    let history: any HistoryRepository
    let now: Date
    private let imports: @Sendable (Range<Date>) async throws -> [AuditEvent]
    private let longChange: LongChangeStatus?
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
    /// - Parameters:
    ///   - longChange: The large change under way; nil if there is none.
    ///   - imports: A closure that returns the events of imports that began within a time. The commits of each are one
    ///     entry.
    /// - Throws: ``AccessError``: `hidden` for a model that does not exist or is not visible.
    package init(
        query: ActivityQuery, scope: ActivityScope, policy: HistoryPolicy, history: any HistoryRepository, at now: Date,
        during longChange: LongChangeStatus? = nil,
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
        self.longChange = longChange
    }

    package mutating func load() async {
        do {
            let page = try await ActivityPage.read(
                HistoryQuery(
                    models: schema.map { [$0.name] } ?? scope.models, author: query.person, time: query.time,
                    before: query.before),
                size: Self.pageSize, shown: query.series, history: history, imports: imports)
            let read = try await VisibleCommit.read(
                page.commits, in: scope, history: history, during: longChange)
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
