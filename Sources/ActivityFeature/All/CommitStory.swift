import AviaryDesign
package import AviaryDomain
import Foundation

/// A commit as far as somebody may see it: how many changes of each kind, and the first of them.
package struct CommitStory: Sendable {
    package let commit: CommitSummary
    /// Of what may be seen.
    let tally: [ChangeTally]
    /// The first of those that may be seen.
    package let changes: [RecordChange]
    /// Whether there is more than was counted.
    let isCapped: Bool
    let canUndo: Bool

    /// Changes that are told where many commits are.
    static let mostChanges = 3
    /// Changes that are counted where many commits are: 50 of them cost some milliseconds.
    static let mostCounted = 1000

    init(_ outline: CommitOutline, in scope: ActivityScope) {
        let visible = outline.tally.filter { scope.models.contains($0.model) }
        self.init(
            // What may be seen may stand behind all that was counted.
            outline.commit,
            tally: visible.map(\.count).reduce(0, +) < outline.changes.count ? outline.changes.tally : visible,
            // How much there is that may not be seen must not be told either.
            changes: outline.changes, isCapped: outline.hasMore,
            canUndo: UndoViewModel.isPermitted(outline.commit, outline.tally, scope)
        )
    }

    /// Stories of these commits, by their numbers; without those that the history does not have any more.
    ///
    /// - Parameter limit: At most so many changes of each are told.
    /// - Throws: `ReadError`.
    static func read(
        _ commits: [Int64], in scope: ActivityScope, history: any HistoryRepository, limit: Int = mostChanges
    ) async throws -> [Int64: CommitStory] {
        try await history.outlines(of: commits, models: scope.models, changes: limit, counting: mostCounted)
            .mapValues { CommitStory($0, in: scope) }
    }

    init(_ commit: CommitSummary, tally: [ChangeTally], changes: [RecordChange], isCapped: Bool, canUndo: Bool) {
        self.commit = commit
        self.tally = tally
        self.changes = changes
        self.isCapped = isCapped
        self.canUndo = canUndo
    }

    /// How many changes were counted.
    var count: Int { tally.map(\.count).reduce(0, +) }
}

extension CommitStory {
    /// `Added animal “Kea”`, `Added 3 animals, deleted 1 category`.
    func sentence(_ words: ChangeWords) -> String {
        if let (record, kind) = single, let schema = words.scope.schema(record.model) {
            let name = schema.singularName
            return kind.sentence(
                words.titles.title(record).map { localized("\(name) “\(Words.isolated($0))”") } ?? name)
        }
        let parts = Dictionary(grouping: tally, by: \.kind).sorted { $0.key.rawValue < $1.key.rawValue }
        let clauses = parts.map { kind, tallies in Words.lowercased(clause(kind, tallies, words)) }
        let sentence = Words.capitalized(clauses.joined(separator: ", "))
        return isCapped ? localized("\(sentence) and more") : sentence
    }

    /// The record that all of it is about, and what became of it: who changes a field and two links has changed one record.
    private var single: (RecordKey, RecordChange.Kind)? {
        guard changes.count == count, !isCapped, let key = changes.first?.key, changes.allSatisfy({ $0.key == key })
        else { return nil }
        return (key, changes.map(\.kind).first { $0 == .insert || $0 == .delete } ?? .update)
    }

    private func clause(_ kind: RecordChange.Kind, _ tallies: [ChangeTally], _ words: ChangeWords) -> String {
        let number = tallies.map(\.count).reduce(0, +)
        switch kind {
        // Several may be of one record.
        case .link: return localized(number, one: "Added 1 link", other: "Added \(number) links")
        case .unlink: return localized(number, one: "Removed 1 link", other: "Removed \(number) links")
        case .insert, .update, .delete:
            return kind.sentence(
                Words.list(tallies.sorted { $0.model < $1.model }.map { words.scope.counted($0.model, $0.count) }))
        }
    }

    func entry(_ words: ChangeWords, query: ActivityQuery, csrf: String, back: String, at now: Date) -> ActivityEntry {
        ActivityEntry(
            person: .init(
                Words.author(commit.author),
                href: ActivityPaths.all.withQuery(query.with { $0.person = commit.author }.text)),
            time: .init(commit.time, at: now),
            sentence: .init(sentence(words), href: ActivityPaths.commit(commit.number)),
            differences: changes.compactMap { words.difference($0, fields: Self.mostFields) }, rest: rest,
            remark: commit.undoes.map {
                .init(localized("takes an earlier step back"), href: ActivityPaths.commit($0))
            },
            actions: canUndo ? [undo(csrf: csrf, back: back)] : []
        )
    }

    /// Fields of a change that are told where many changes are.
    static let mostFields = 6

    private var rest: ActivityEntry.Link? {
        let others = count - changes.count
        guard others > 0 || isCapped else { return nil }
        return .init(
            isCapped ? localized("and many more") : localized("and \(others) more"),
            href: ActivityPaths.commit(commit.number)
        )
    }

    /// Asked first: who reads what happened long ago did not just do it.
    func undo(csrf: String, back: String) -> PanelAction {
        .question(
            title: localized("Take back…"),
            text: localized(
                "What this step did is undone by a new step, unless something newer stands against it. That can be taken back, too."
            ),
            PostButton(
                localized("Take back"), about: localized("step \(String(commit.number))"),
                action: ActivityPaths.undo(commit.number), csrf: csrf,
                hidden: ActivityPaths.undoFields(returningTo: back), style: .danger
            )
        )
    }
}

extension ActivityEntry.Time {
    /// How long ago it was; on other days the time, as the day stands above.
    init(_ time: Date, at now: Date) {
        let machine = time.rfc3339 ?? ""
        let isToday = time.day == now.day
        self.init(
            shown: isToday ? DateWords.age(of: time, at: now) : localized("\(machine.dropFirst(11).prefix(5)) UTC"),
            machine: machine
        )
    }
}
