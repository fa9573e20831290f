import AviaryDesign
import AviaryDomain
import Foundation

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
