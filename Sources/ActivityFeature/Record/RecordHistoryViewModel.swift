package import AviaryDomain
package import Foundation

/// Everything that was done to one record.
package struct RecordHistoryViewModel: Sendable {
    package let schema: ModelSchema
    let record: UUID
    /// Where the page before ended: a change's number.
    let before: Int64?
    let scope: ActivityScope
    let policy: HistoryPolicy
    let history: any HistoryRepository
    let now: Date
    /// Newest first, once loaded.
    private(set) var steps: [Step]?
    private(set) var words: ChangeWords?
    private(set) var next: Int64?
    package private(set) var errorMessage: String?
    /// Whether there is such a record, or was as far as the history tells.
    package private(set) var isKnown = true

    /// One change of the record, in what else was done with it.
    struct Step: Sendable {
        let change: RecordChange
        let story: CommitStory
    }

    private static let pageSize = 30

    /// - Throws: ``AccessRefusal``: `hidden` for a model that there is not, or that may not be seen.
    package init(
        _ record: UUID, model slug: String, before: Int64?, scope: ActivityScope, policy: HistoryPolicy,
        history: any HistoryRepository, at now: Date
    ) throws(AccessRefusal) {
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
            let stories = try await CommitStory.read(found.map(\.commit), in: scope, history: history, limit: 1)
            var steps: [Step] = []
            for change in found.prefix(Self.pageSize) {
                // A commit that has lost its first entry is not told, and those before it have gone too.
                guard let story = stories[change.commit] else { break }
                steps.append(Step(change: change, story: story))
            }
            let last = steps.isEmpty ? try await lastChange() : []
            words = try await ChangeWords(steps.map(\.change) + last, in: scope, history: history, besides: [key])
            isKnown = !steps.isEmpty || !last.isEmpty || exists
            next = found.count > Self.pageSize && steps.count == Self.pageSize ? steps.last?.change.number : nil
            self.steps = steps
        } catch {
            errorMessage = localized(
                "The history of this \(schema.singularName) cannot be read at the moment. Try again shortly.")
        }
    }

    private var key: RecordKey { RecordKey(model: schema.name, id: record) }

    /// What tells the name of a record that is gone, on a page without steps.
    private func lastChange() async throws -> [RecordChange] {
        try await history.changes(of: record, in: schema.name, before: nil, limit: 1)
    }

    /// What the record is called, or was.
    package var title: String? { words?.titles.title(key) }

    var exists: Bool { words?.titles.exists(key) ?? false }

    /// Whether the record's sheet can be opened with what it held after the change: where there is something to change.
    func canRestore(_ step: Step) -> Bool {
        guard exists, scope.principal.may(.edit, schema.name), !schema.isBuiltIn else { return false }
        switch step.change.kind {
        case .insert, .update: return before != nil || step.change.number != steps?.first?.change.number
        case .delete, .link, .unlink: return false
        }
    }
}

/// What a record held at some time, as far as the history can tell.
package struct EarlierVersion: Sendable {
    /// By property name. Without what is secret, and without what cannot be told.
    package let values: [String: FieldValue]
    package let time: Date
    package let author: String

    /// Goes back from what is stored now to what was so after a change.
    ///
    /// - Parameters:
    ///   - record: As it is stored now.
    ///   - number: Of the change.
    /// - Returns: Nil when the history does not reach back to it, or the record was deleted in between.
    /// - Throws: ``AccessRefusal``; `ReadError`.
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
