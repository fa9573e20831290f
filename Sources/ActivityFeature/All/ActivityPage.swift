import AviaryDesign
package import AviaryDomain
package import Foundation

/// The commits of an import, or of its undo, which are one entry of the activity.
package struct ImportSeries: Sendable {
    let series: ChangeSetSeries
    /// The event of the import in the audit log.
    let event: AuditEvent
    /// Indicates whether the commits undo the import.
    let isUndo: Bool
    /// The commits that were read, newest first.
    var commits: [Int64]
    /// Indicates whether all commits of the series were read.
    var isWhole = false
    /// Indicates whether all commits that were read are undone.
    var isUndone = false
    /// Indicates whether stored values were rewritten since a commit that was read, so that the series can no longer be
    /// undone.
    var isOutdated = false

    /// Returns the entry in words, such as `Imported “flights.csv” into flights`.
    func sentence(in scope: ActivityScope) -> String {
        if event.kind == .recordUpdate {
            let counted = event.changedRecords.flatMap { change in
                scope.schema(change.model)?.counted(change.count)
            }
            guard let counted else {
                return isUndo ? localized("Undid a change of many records") : localized("Changed many records")
            }
            return isUndo ? localized("Undid a change of \(counted)") : localized("Changed \(counted) by a command")
        }
        let file = event.importedFile
        let name = file?.file.map { TextFormatter.isolated($0) }
        let model = file.flatMap { scope.schema($0.model)?.pluralName }
        switch (name, model) {
        case (let name?, let model?) where !isUndo: return localized("Imported “\(name)” into \(model)")
        case (let name?, _) where !isUndo: return localized("Imported “\(name)”")
        case (let name?, _): return localized("Undid the import of “\(name)”")
        case (nil, let model?) where !isUndo: return localized("Imported \(model)")
        case (nil, let model?): return localized("Undid the import of \(model)")
        case (nil, nil): return isUndo ? localized("Undid an import") : localized("Imported a file")
        }
    }

    /// The number of commits in words; nil when it is not known.
    var size: String? {
        let count = commits.count
        return isWhole ? localized(count, one: "1 step", other: "\(count) steps") : nil
    }

    /// Returns the button that undoes all commits of the import, from the newest to the oldest.
    ///
    /// - Parameter newest: The number of the newest commit.
    func undo(from newest: Int64, csrf: String, back: String) -> PanelAction {
        .question(
            title: localized("Undo…"),
            text: event.kind == .recordUpdate
                ? localized("This undoes all steps of the command. Newer changes are never overwritten.")
                : localized("This undoes all steps of the import. Newer changes are never overwritten."),
            PostButton(
                localized("Undo all"), about: event.importedFile?.file, action: ActivityPaths.undo(newest), csrf: csrf,
                hidden: BatchUndoView.fields(series, returningTo: back), style: .primary
            )
        )
    }
}

/// A page of the activity: commits, and imports that consist of many commits.
struct ActivityPage {
    /// The numbers of the commits of the entries, newest first. An import is represented by its newest commit.
    private(set) var commits: [Int64] = []
    /// The imports by the number of their newest commit.
    private(set) var imports: [Int64: ImportSeries] = [:]
    /// The number of the last commit of the page if there are older ones.
    private(set) var next: Int64?
    /// The series that have an entry on this page or an earlier one, and may have older commits.
    private(set) var open: [UUID]

    private struct Known {
        let series: ChangeSetSeries
        let event: AuditEvent
        let isUndo: Bool
    }

    /// The number of commits that are read at once after the first ones.
    private static let partSize = 1000
    /// The largest number of parts that are read for a page. An import of more commits has another entry on the next
    /// page if other changes were made during it.
    private static let mostParts = 20
    /// The longest time from the beginning of an import to its last commit, in seconds.
    private static let longestImport: TimeInterval = 31 * 86_400

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - query: The query, without a limit.
    ///   - size: The number of entries.
    ///   - shown: The series that have an entry on an earlier page.
    ///   - imports: A closure that returns the events of imports that began within a time.
    /// - Throws: `ReadError`; the errors of `imports`.
    static func read(
        _ query: HistoryQuery, size: Int, shown: [UUID], history: any HistoryRepository,
        imports: (Range<Date>) async throws -> [AuditEvent]
    ) async throws -> ActivityPage {
        var page = ActivityPage(open: shown), part = query
        part.limit = size + 1
        var known: [UInt64: Known] = [:]
        var newest: [UInt64: Int64] = [:]
        var last: Int64?
        var reached = Date.distantFuture
        reading: for _ in 0..<mostParts {
            let commits = try await history.commits(part)
            if let first = commits.first, let oldest = commits.last {
                // A clock may have been set back between two commits.
                let start = min(first.time, oldest.time).addingTimeInterval(-longestImport)
                let end = max(first.time, oldest.time).addingTimeInterval(60)
                for event in try await imports(start..<end) { add(event, to: &known) }
            }
            for commit in commits {
                let prefix = ChangeSetSeries.prefix(of: commit.changeSet), member = known[prefix]
                if let first = newest[prefix] {
                    page.imports[first]?.commits.append(commit.number)
                } else if let member, page.open.contains(member.series.id) {
                    // An earlier page has the entry.
                } else if page.commits.count == size {
                    page.next = last
                    break reading
                } else {
                    page.commits.append(commit.number)
                    if let member {
                        newest[prefix] = commit.number
                        page.imports[commit.number] = ImportSeries(
                            series: member.series, event: member.event, isUndo: member.isUndo, commits: [commit.number])
                    }
                }
                (last, reached) = (commit.number, commit.time)
            }
            guard commits.count == part.limit else {
                (page.next, reached) = (nil, .distantPast)
                break
            }
            part.before = last
            part.limit = partSize
            page.next = last
        }
        // All commits of an import are newer than its event.
        for (number, series) in page.imports where series.event.time > reached.addingTimeInterval(60) {
            page.imports[number]?.isWhole = query.time == nil && query.before == nil
        }
        page.open += page.imports.values.filter { !$0.isWhole }.map(\.series.id)
        let all = page.imports.values.flatMap(\.commits)
        let undone = try await history.undoneCommits(of: all), barrier = try await history.undoBarrier()
        for (number, series) in page.imports {
            page.imports[number]?.isOutdated = series.commits.contains { $0 <= barrier }
            page.imports[number]?.isUndone = undone.isSuperset(of: series.commits)
        }
        return page
    }

    private init(open: [UUID]) {
        self.open = open
    }

    private static func add(_ event: AuditEvent, to known: inout [UInt64: Known]) {
        let series = ChangeSetSeries(event.id.uuid)
        known[series.prefix] = Known(series: series, event: event, isUndo: false)
        known[series.inverse.prefix] = Known(series: series.inverse, event: event, isUndo: true)
    }
}

/// The part of the activity that an address specifies.
package struct ActivityQuery: Sendable, Hashable {
    /// The slug of a model.
    package var model: String?
    package var record: UUID?
    /// The name of an author, as the history contains it.
    package var person: String?
    /// The first day, in the zone of the page.
    package var from: CalendarDate?
    /// The last day, in the zone of the page.
    package var to: CalendarDate?
    /// The position where the previous page ended: the number of a commit or, in a record's history, of a change.
    package var before: Int64?
    /// The series of commits that have an entry on an earlier page.
    package var series: [UUID] = []

    package init() {}

    /// Parses `model=`, `record=`, `person=`, `from=`, `to=`, `before=` and `series=`. Empty fields are ignored.
    ///
    /// - Throws: ``ActivityQueryError`` for an invalid value.
    package init(_ fields: [FormField]) throws(ActivityQueryError) {
        func text(_ name: String) -> String? {
            fields.value(name).flatMap { $0.isBlank ? nil : $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        }
        func read<Value>(_ name: String, _ make: (String) -> Value?) throws(ActivityQueryError) -> Value? {
            guard let text = text(name) else { return nil }
            guard let value = make(text) else { throw ActivityQueryError(name: name) }
            return value
        }
        model = text("model")
        person = text("person")
        record = try read("record") { UUID(canonicalText: $0) }
        from = try read("from") { CalendarDate($0) }
        to = try read("to") { CalendarDate($0) }
        before = try read("before") { Int64($0) }
        series =
            try read("series") { text -> [UUID]? in
                let ids = text.split(separator: ",").map { UUID(canonicalText: $0) }
                return ids.contains(nil) ? nil : ids.compactMap(\.self)
            } ?? []
        guard record == nil || model != nil else { throw ActivityQueryError(name: "record") }
    }

    /// The query string that leads to this page again.
    package var text: String {
        let fields: [(String, String?)] = [
            ("model", model), ("record", record?.canonicalText), ("person", person), ("from", from?.description),
            ("to", to?.description), ("before", before.map { String($0) }),
            ("series", series.isEmpty ? nil : series.map(\.canonicalText).joined(separator: ",")),
        ]
        return FormEncoding.encode(fields.compactMap { name, value in value.map { FormField(name: name, value: $0) } })
    }

    /// The range from the start of the first day to the end of the last one; empty if they are in the wrong order.
    var time: Range<Date>? {
        guard from != nil || to != nil else { return nil }
        let start = from?.start ?? .distantPast
        let end = to?.end ?? .distantFuture
        return start..<max(start, end)
    }

    /// Indicates whether the last day is before the first, so that nothing can match.
    var isReversedRange: Bool {
        guard let from, let to else { return false }
        return to < from
    }

    /// The query with the two days swapped.
    var swapped: ActivityQuery { with { ($0.from, $0.to) = (to, from) } }

    package var isFiltered: Bool { model != nil || record != nil || person != nil || from != nil || to != nil }

    func with(_ change: (inout ActivityQuery) -> Void) -> ActivityQuery {
        var copy = self
        copy.before = nil
        copy.series = []
        change(&copy)
        return copy
    }
}

/// The error for an address that specifies an impossible part.
package struct ActivityQueryError: Error, Sendable, Hashable {
    /// The name of the invalid field.
    package let name: String
}

extension CalendarDate {
    /// The start of the day in the zone of the page.
    fileprivate var start: Date { start(in: PageTimeZone.current ?? .gmt) }

    /// The start of the following day in the zone of the page.
    fileprivate var end: Date {
        let next = CalendarDate(start(in: .gmt).addingTimeInterval(86_400), in: .gmt)
        return next?.start ?? start.addingTimeInterval(86_400)
    }
}
