package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The page of one record's history.
package struct RecordHistoryView: Component {
    let model: RecordHistoryViewModel
    let csrf: String
    let notices: [Notice]

    package init(model: RecordHistoryViewModel, csrf: String, notices: [Notice] = []) {
        self.model = model
        self.csrf = csrf
        self.notices = notices
    }

    package static func title(of model: RecordHistoryViewModel) -> String {
        localized(
            "History of \(model.title.map { TextFormatter.quoted($0) } ?? TextFormatter.withArticle(model.schema.singularName))"
        )
    }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title(of: model), count: nil, addTitle: "", addHref: nil))
        html.render(Breadcrumbs(links: trail))
        for notice in notices { html.render(notice) }
        if let message = model.errorMessage { html.render(Notice(.failure, message)) }
        guard let steps = model.steps, let words = model.words else { return }
        if model.policy.excludedModels.contains(model.schema.name) {
            html.render(Notice(.information, localized("History is no longer kept for \(model.schema.pluralName).")))
        }
        guard !steps.isEmpty else {
            return html.render(
                EmptyState(
                    title: localized("No history"),
                    text: localized(
                        "The history contains nothing about this \(model.schema.singularName)."),
                    actionTitle: nil, actionHref: nil
                ))
        }
        html.render(
            ActivityList(days: ActivityDays.days(steps.map { ($0.story.commit.time, entry($0, words)) }, at: model.now))
        )
        html.render(
            PageFooter(
                summary: localized(steps.count, one: "1 step", other: "\(steps.count) steps"),
                previousHref: model.before == nil ? nil : here, previousTitle: localized("Newest"),
                nextHref: model.next.map { here + "&before=\($0)" }, nextTitle: localized("Older")
            ))
    }

    private var here: String { ActivityPaths.history(of: model.record, in: model.schema) }

    private var trail: [Breadcrumbs.Step] {
        var steps = [Breadcrumbs.Step(localized("Activity"), href: ActivityPaths.all)]
        guard !model.schema.isBuiltIn else { return steps }
        steps.append(.init(model.schema.pluralTitle, href: ModelPaths(model.schema).list))
        if model.exists {
            steps.append(.init(model.title ?? localized("Open"), href: ModelPaths(model.schema).record(model.record)))
        }
        return steps
    }

    private func entry(_ step: RecordHistoryViewModel.Step, _ words: ChangeFormatter) -> ActivityEntry {
        let others = step.story.count - 1
        var actions: [PanelAction] = []
        if model.canRestore(step) {
            actions.append(
                .link(
                    title: localized("Edit with these values…"),
                    href: ActivityPaths.earlier(model.record, in: model.schema, after: step.change.number)
                ))
        }
        if step.story.canUndo { actions.append(step.story.undo(csrf: csrf, back: here)) }
        let commit = step.story.commit
        return ActivityEntry(
            person: .init(
                TextFormatter.author(commit.author),
                href: ActivityPaths.all.withQuery(ActivityQuery().with { $0.person = commit.author }.text)),
            time: .init(commit.time, at: model.now),
            sentence: .init(step.change.kind.verb, href: ActivityPaths.commit(commit.number)),
            differences: [words.difference(step.change, fields: .max)].compactMap(\.self),
            rest: others > 0 || step.story.isCapped
                ? .init(
                    step.story.isCapped
                        ? localized("together with many others")
                        : localized(
                            others, one: "together with 1 other change", other: "together with \(others) other changes"),
                    href: ActivityPaths.commit(commit.number)
                ) : nil,
            remark: step.story.remark, note: step.story.undoObstacle, isUndone: step.story.isUndone, actions: actions
        )
    }
}

/// The view model of one record's history.
package struct RecordHistoryViewModel: Sendable {
    package let schema: ModelSchema
    let record: UUID
    /// The position where the previous page ended: the number of a change.
    let before: Int64?
    let scope: ActivityScope
    let policy: HistoryPolicy
    let history: any HistoryRepository
    let now: Date
    /// The steps, newest first, once loaded.
    private(set) var steps: [Step]?
    private(set) var words: ChangeFormatter?
    private(set) var next: Int64?
    package private(set) var errorMessage: String?
    /// Indicates whether the record exists, or did as far as the history contains it.
    package private(set) var isKnown = true

    /// A change of the record together with the commit that it is part of.
    struct Step: Sendable {
        let change: RecordChange
        let story: VisibleCommit
    }

    private static let pageSize = 30

    /// Creates the view model.
    ///
    /// - Throws: ``AccessError``: `hidden` for a model that does not exist or is not visible.
    package init(
        _ record: UUID, model slug: String, before: Int64?, scope: ActivityScope, policy: HistoryPolicy,
        history: any HistoryRepository, at now: Date
    ) throws(AccessError) {
        try scope.principal.check(.activity)
        guard let schema = scope.schema(slug: slug) else { throw .hidden }
        self.schema = schema
        self.record = record
        self.before = before
        self.scope = scope
        self.policy = policy
        self.history = history
        self.now = now
    }

    package mutating func load() async {
        do {
            let found = try await history.changes(of: record, in: schema.name, before: before, limit: Self.pageSize + 1)
            let stories = try await VisibleCommit.read(found.map(\.commit), in: scope, history: history, limit: 1)
            var steps: [Step] = []
            for change in found.prefix(Self.pageSize) {
                // A commit whose first entry was evicted is omitted. All earlier ones were evicted too.
                guard let story = stories[change.commit] else { break }
                steps.append(Step(change: change, story: story))
            }
            let last = steps.isEmpty ? try await lastChange() : []
            words = try await ChangeFormatter(steps.map(\.change) + last, in: scope, history: history, besides: [key])
            isKnown = !steps.isEmpty || !last.isEmpty || exists
            next = found.count > Self.pageSize && steps.count == Self.pageSize ? steps.last?.change.number : nil
            self.steps = steps
        } catch {
            errorMessage = localized(
                "Couldn’t load the history of this \(schema.singularName). Try again in a moment.")
        }
    }

    private var key: RecordKey { RecordKey(model: schema.name, id: record) }

    /// Returns the last change of a deleted record, which contains its title for a page without steps.
    private func lastChange() async throws -> [RecordChange] {
        try await history.changes(of: record, in: schema.name, before: nil, limit: 1)
    }

    /// The current or last title of the record.
    package var title: String? { words?.titles.title(key) }

    var exists: Bool { words?.titles.exists(key) ?? false }

    /// Indicates whether the record's sheet can be opened with the values after the change. It is false for the
    /// latest change, because nothing would differ.
    func canRestore(_ step: Step) -> Bool {
        guard exists, scope.principal.may(.edit, schema.name), !schema.isBuiltIn else { return false }
        switch step.change.kind {
        case .insert, .update: return before != nil || step.change.number != steps?.first?.change.number
        case .delete, .link, .unlink: return false
        }
    }
}

/// The values of a record at an earlier time, as far as the history contains them.
package struct RecordVersion: Sendable {
    /// The values by property name, without secrets and without values that are not visible.
    package let values: [String: FieldValue]
    package let time: Date
    package let author: String

    /// Computes the values after a change from the current ones and the history.
    ///
    /// Returns nil if the history does not reach back to the change or the record was deleted in between.
    ///
    /// - Parameters:
    ///   - record: The record as stored now.
    ///   - number: The number of the change.
    /// - Throws: ``AccessError``; `ReadError`.
    package init?(
        of record: Record, in schema: ModelSchema, after number: Int64, scope: ActivityScope,
        history: any HistoryRepository
    ) async throws {
        try scope.principal.check(.activity)
        try scope.principal.check(.edit, schema)
        guard let earlier = try await history.values(of: record.id, in: schema.name, asOf: .change(number)),
            let commit = earlier.commit
        else {
            return nil
        }
        var values = Dictionary(
            zip(schema.storedProperties.map(\.name), record.values), uniquingKeysWith: { first, _ in first }
        )
        values.merge(earlier.values) { _, then in then }
        for name in earlier.secrets { values[name] = nil }
        for property in schema.storedProperties
        where property.isSecret || !scope.principal.maySee(property.name, of: schema) {
            values[property.name] = nil
        }
        self.values = values
        time = commit.time
        author = commit.author
    }
}
