import AviaryDesign
package import AviaryDomain
import Foundation

/// The visible part of a commit: the number of changes of each kind, and the first of them.
package struct VisibleCommit: Sendable {
    package let commit: CommitSummary
    /// The counts of the visible changes.
    let tally: [ChangeTally]
    /// The first of the visible changes.
    package let changes: [RecordChange]
    /// Indicates whether the commit has more changes than were counted.
    let isCapped: Bool
    /// Indicates whether a later commit, which is in effect, undoes this one.
    let isUndone: Bool
    /// Indicates whether stored values were rewritten since, so that the commit can no longer be undone.
    let isOutdated: Bool
    /// Indicates whether the principal is allowed to make the inverse changes.
    private let isPermitted: Bool
    /// The import whose newest commit this is; nil for a commit of its own.
    var series: ImportSeries?

    /// The largest number of changes that are shown for each commit of a list.
    static let mostChanges = 3
    /// The largest number of changes that are counted for each commit of a list. Counting 50 such commits takes
    /// some milliseconds.
    static let mostCounted = 1000
    /// The largest number of further changes that are counted for a list, so that its largest commits have their true
    /// numbers, too. It is as many as the first changes of 50 commits.
    static let mostCountedFurther = 50_000

    /// Creates the visible part of a commit.
    ///
    /// - Parameter whole: The counts of all changes; nil if only those of the outline are known.
    private init(
        _ outline: CommitOutline, whole: [ChangeTally]?, in scope: ActivityScope, isUndone: Bool, isOutdated: Bool
    ) {
        let visible = (whole ?? outline.tally).filter { scope.models.contains($0.model) }
        self.init(
            // The visible changes may all follow those that were counted.
            outline.commit,
            tally: visible.map(\.count).reduce(0, +) < outline.changes.count ? outline.changes.tally : visible,
            // The number of hidden changes must not be revealed either.
            changes: outline.changes, isCapped: whole == nil && outline.hasMore, isUndone: isUndone,
            isOutdated: isOutdated,
            isPermitted: UndoViewModel.isPermitted(outline.commit, whole ?? outline.tally, scope)
        )
    }

    /// Reads the stories of the commits by number, without commits that the history no longer contains.
    ///
    /// - Parameters:
    ///   - limit: The largest number of changes that are shown for each commit.
    ///   - furtherLimit: The largest number of changes that are counted besides the first ones of each commit.
    ///   - longChange: The large change under way, read before this call; nil if there is none.
    /// - Throws: `ReadError`.
    static func read(
        _ commits: [Int64], in scope: ActivityScope, history: any HistoryRepository, limit: Int = mostChanges,
        countingFurther furtherLimit: Int = mostCountedFurther, during longChange: LongChangeStatus? = nil
    ) async throws -> [Int64: VisibleCommit] {
        let undone = try await history.undoneCommits(of: commits)
        let barrier = try await history.undoBarrier()
        let outlines = try await history.outlines(
            of: commits, models: scope.models, changes: limit, counting: mostCounted)
        var read: [Int64: VisibleCommit] = [:]
        var rest = furtherLimit
        for number in commits {
            guard let outline = outlines[number] else { continue }
            var whole: [ChangeTally]?
            let isUnderWay = longChange?.commit == number
            if isUnderWay || (outline.hasMore && outline.commit.changes <= rest) {
                if !isUnderWay { rest -= outline.commit.changes }
                whole = try await history.tally(of: number, during: longChange)
            }
            read[number] = VisibleCommit(
                outline, whole: whole, in: scope, isUndone: undone.contains(number), isOutdated: number <= barrier)
        }
        return read
    }

    /// Creates the visible part of a commit.
    ///
    /// - Parameter isPermitted: A Boolean value that indicates whether the principal is allowed to undo the commit.
    init(
        _ commit: CommitSummary, tally: [ChangeTally], changes: [RecordChange], isCapped: Bool, isUndone: Bool,
        isOutdated: Bool, isPermitted: Bool
    ) {
        self.isUndone = isUndone
        self.isOutdated = isOutdated
        self.commit = commit
        self.tally = tally
        self.changes = changes
        self.isCapped = isCapped
        self.isPermitted = isPermitted
    }

    /// Indicates whether the principal is allowed to undo the commit, and it can still be undone.
    var canUndo: Bool { isPermitted && !isUndone && !isOutdated }

    /// The reason why there is no undo that the principal is allowed to make; nil if there is one, or none was to be
    /// expected.
    var undoObstacle: String? {
        let (isUndone, isOutdated) = series.map { ($0.isUndone, $0.isOutdated) } ?? (isUndone, isOutdated)
        guard isPermitted, isOutdated, !isUndone, series?.isUndo != true else { return nil }
        return localized("Can’t be undone: the application has changed since, and the old values no longer fit.")
    }

    /// The number of changes that were counted.
    var count: Int { tally.map(\.count).reduce(0, +) }
}

extension VisibleCommit {
    /// Returns the summary of the commit, for example `Added animal “Kea”` or `Added 3 animals, deleted 1
    /// category`.
    func sentence(_ words: ChangeFormatter) -> String {
        if let (record, kind) = single, let schema = words.scope.schema(record.model) {
            let name = schema.singularName
            return kind.sentence(
                words.titles.title(record).map { localized("\(name) “\(TextFormatter.isolated($0))”") } ?? name)
        }
        // The numbers of single models are those of the first changes only.
        if isCapped, let kind = tally.first?.kind, kind != .link, kind != .unlink, tally.count > 1,
            tally.allSatisfy({ $0.kind == kind })
        {
            return kind.sentence(localized("more than \(count) records"))
        }
        if isCapped, tally.count == 1, let part = tally.first, part.kind != .link, part.kind != .unlink {
            return part.kind.sentence(localized("more than \(words.scope.counted(part.model, part.count))"))
        }
        let parts = Dictionary(grouping: tally, by: \.kind).sorted { $0.key.rawValue < $1.key.rawValue }
        let clauses = parts.map { kind, tallies in TextFormatter.lowercased(clause(kind, tallies, words)) }
        let sentence = TextFormatter.capitalized(clauses.joined(separator: ", "))
        return isCapped ? localized("\(sentence) and more") : sentence
    }

    /// The only record that the commit changed, and the kind of change. A change of a field and two links is one
    /// changed record.
    private var single: (RecordKey, RecordChange.Kind)? {
        guard changes.count == count, !isCapped, let key = changes.first?.key, changes.allSatisfy({ $0.key == key })
        else { return nil }
        return (key, changes.map(\.kind).first { $0 == .insert || $0 == .delete } ?? .update)
    }

    private func clause(_ kind: RecordChange.Kind, _ tallies: [ChangeTally], _ words: ChangeFormatter) -> String {
        switch kind {
        case .link:
            let number = links(tallies, words)
            return localized(number, one: "Added 1 link", other: "Added \(number) links")
        case .unlink:
            let number = links(tallies, words)
            return localized(number, one: "Removed 1 link", other: "Removed \(number) links")
        case .insert, .update, .delete:
            return kind.sentence(
                TextFormatter.list(
                    tallies.sorted { $0.model < $1.model }.map { words.scope.counted($0.model, $0.count) }))
        }
    }

    /// Returns the number of links in the counts of their changes.
    ///
    /// A link has a change for each of its two records. Where a model is hidden or has no history, the changes of the
    /// other one alone tell the number.
    private func links(_ tallies: [ChangeTally], _ words: ChangeFormatter) -> Int {
        let changes = tallies.map(\.count).reduce(0, +)
        let ends = tallies.filter { tally in
            !(words.scope.schema(tally.model)?.properties.contains { $0.type == .toMany(model: tally.model) } ?? false)
        }
        return max((changes + 1) / 2, ends.map(\.count).max() ?? 0)
    }

    func entry(_ words: ChangeFormatter, query: ActivityQuery, csrf: String, back: String, at now: Date)
        -> ActivityEntry
    {
        let person = ActivityEntry.Link(
            TextFormatter.author(commit.author),
            href: ActivityPaths.all.withQuery(query.with { $0.person = commit.author }.text))
        if let series {
            return ActivityEntry(
                person: person, time: .init(commit.time, at: now),
                sentence: .init(series.sentence(in: words.scope), href: ActivityPaths.commit(commit.number)),
                differences: [], rest: series.size.map { .init($0) }, note: undoObstacle, isUndone: series.isUndone,
                actions: isPermitted && !series.isUndone && !series.isUndo && !series.isOutdated
                    ? [series.undo(from: commit.number, csrf: csrf, back: back)] : []
            )
        }
        return ActivityEntry(
            person: person, time: .init(commit.time, at: now),
            sentence: .init(sentence(words), href: ActivityPaths.commit(commit.number)),
            differences: changes.compactMap { words.difference($0, fields: Self.mostFields) }, rest: rest,
            remark: remark, note: undoObstacle, isUndone: isUndone,
            actions: canUndo ? [undo(csrf: csrf, back: back)] : []
        )
    }

    /// The largest number of fields that are shown for each change of a list.
    static let mostFields = 6

    /// The link to the commit that this one undoes.
    var remark: ActivityEntry.Link? {
        commit.undoes.map { .init(localized("undoes an earlier step"), href: ActivityPaths.commit($0)) }
    }

    private var rest: ActivityEntry.Link? {
        let others = count - changes.count
        guard others > 0 || isCapped else { return nil }
        return .init(
            isCapped ? localized("and many more") : localized("and \(others) more"),
            href: ActivityPaths.commit(commit.number)
        )
    }

    /// Returns the button that undoes the commit. It asks for confirmation, because the commit is usually not the
    /// user's latest action.
    func undo(csrf: String, back: String) -> PanelAction {
        .question(
            title: localized("Undo…"),
            text: localized(
                "A new step undoes this one. Newer changes are never overwritten, and you can undo the new step too."
            ),
            PostButton(
                localized("Undo"), about: localized("step \(String(commit.number))"),
                action: ActivityPaths.undo(commit.number), csrf: csrf,
                hidden: ActivityPaths.undoFields(returningTo: back), style: .primary
            )
        )
    }
}

extension ActivityEntry.Time {
    /// Creates the time of an entry: its age if it is today, or else the time of day, because the list shows the
    /// day above.
    init(_ time: Date, at now: Date) {
        let machine = time.rfc3339 ?? ""
        let isToday = time.day == now.day
        self.init(
            shown: isToday ? DateTextFormatter.age(of: time, at: now) : DateTextFormatter.timeOfDay(machine),
            machine: machine
        )
    }
}

extension HistoryRepository {
    /// Returns the counts of all changes of a commit, also while the store still writes its history.
    ///
    /// A large change is visible as a whole before all of its entries are in the history. A delete's status has the
    /// numbers of its records; an undo makes the inverse of the changes of the commit that it undoes.
    ///
    /// - Parameter longChange: The large change under way, read before this call, so that a history without the change
    ///   is complete; nil if there is none.
    /// - Throws: `ReadError`.
    func tally(of commit: Int64, during longChange: LongChangeStatus?) async throws -> [ChangeTally] {
        guard let longChange, longChange.commit == commit else { return try await tally(of: commit, limit: nil) }
        if let undone = longChange.undoes {
            return try await tally(of: undone, limit: nil).map {
                ChangeTally(model: $0.model, kind: $0.kind.inverted, count: $0.count)
            }
        }
        let others = try await tally(of: commit, limit: nil).filter { $0.kind != .delete }
        return longChange.records.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map {
            ChangeTally(model: $0.key, kind: .delete, count: $0.value)
        } + others
    }
}

extension RecordChange.Kind {
    /// The kind of the change that reverses a change of this kind.
    fileprivate var inverted: RecordChange.Kind {
        switch self {
        case .insert: .delete
        case .delete: .insert
        case .update: .update
        case .link: .unlink
        case .unlink: .link
        }
    }
}
