import AviaryDomain
import Foundation

/// The description of conflicts that block an undo, with the names of records.
struct UndoObstacleWords {
    let scope: ActivityScope
    let titles: RecordTitles

    static func sentences(
        _ obstacles: [UndoObstacle], in scope: ActivityScope, history: any HistoryRepository
    ) async -> [UndoObstacleText] {
        let keys = Set(obstacles.flatMap(\.records))
        // If the names cannot be read, the sentences are still correct without them.
        var titles = (try? await RecordTitles.read(keys, in: scope)) ?? RecordTitles()
        try? await titles.readGone(keys, in: scope, history: history)
        let words = UndoObstacleWords(scope: scope, titles: titles)
        var seen: Set<UndoObstacleText> = []
        return obstacles.map(words.text).filter { seen.insert($0).inserted }
    }

    func text(_ obstacle: UndoObstacle) -> UndoObstacleText {
        switch obstacle {
        case .notInHistory: return UndoObstacleText(localized("The history does not have it any more."))
        case .partlyRecorded:
            return UndoObstacleText(
                localized(
                    "It also changed records of which no history is kept. The rest alone would be something that never was."
                ))
        case .notPermitted:
            return UndoObstacleText(localized("It changed nothing but what your role may not set."))
        case .beforeMigration:
            return UndoObstacleText(
                localized("The application has changed since, and these values do not fit it any more."))
        case .tooLarge(let changes):
            return UndoObstacleText(
                localized("It made \(changes) changes, more than can be taken back at once. Restore a backup instead."))
        case .changedSince(let model, let id, let property, let commit):
            let href = commit.map(ActivityPaths.commit) ?? page(model, id)
            return UndoObstacleText(
                localized("\(label(property, of: model)) of \(name(model, id)) was changed again."),
                href: scope.schema(model) == nil ? nil : href
            )
        case .deletedSince(let model, let id):
            return UndoObstacleText(
                localized("\(Words.capitalized(name(model, id))) was deleted in the meantime."), href: page(model, id))
        case .insertedSince(let model, let id):
            return UndoObstacleText(
                localized("\(Words.capitalized(name(model, id))) is there again."), href: page(model, id))
        case .valueTaken(let model, _, let property, let other):
            return UndoObstacleText(
                localized(
                    "\(Words.capitalized(name(model, other))) has the same \(Words.small(label(property, of: model))) now."
                ), href: page(model, other)
            )
        case .missingReference(let model, let id, let property):
            return UndoObstacleText(
                localized("What was the \(Words.small(label(property, of: model))) of \(name(model, id)) is gone."),
                href: page(model, id))
        case .referenced(let model, let other, let count):
            let subject = scope.schema(model).map { Words.withArticle($0.singularName) } ?? localized("a record")
            let others = scope.counted(other, count)
            return UndoObstacleText(
                localized(
                    count, one: "\(others) refers to \(subject) that would go. Delete or change it first.",
                    other: "\(others) refer to \(subject) that would go. Delete or change them first."
                ))
        case .secret(let model, let id, let property):
            return UndoObstacleText(
                localized(
                    "\(label(property, of: model)) of \(name(model, id)) is secret: the history tells that it was changed, and not from what."
                )
            )
        case .unknownModel:
            return UndoObstacleText(
                localized("It changed records of a kind that the application does not have any more."))
        @unknown default: return UndoObstacleText(localized("Something newer stands against it."))
        }
    }

    /// Returns the name of a record: `“Kea”`, or `an animal` if it has no title. A record that is not visible is
    /// not described at all.
    private func name(_ model: String, _ id: UUID) -> String {
        guard let schema = scope.schema(model) else { return localized("a record that you may not see") }
        return titles.title(RecordKey(model: model, id: id)).map { Words.quoted($0) }
            ?? Words.withArticle(schema.singularName)
    }

    private func label(_ property: String, of model: String) -> String {
        scope.schema(model)?.property(property)?.label ?? localized("A field")
    }

    private func page(_ model: String, _ id: UUID) -> String? {
        scope.schema(model).map { ActivityPaths.history(of: id, in: $0) }
    }
}

extension UndoObstacle {
    /// The records that the obstacle concerns.
    fileprivate var records: [RecordKey] {
        switch self {
        case .changedSince(let model, let id, _, _), .deletedSince(let model, let id),
            .insertedSince(let model, let id),
            .missingReference(let model, let id, _), .secret(let model, let id, _):
            [RecordKey(model: model, id: id)]
        case .valueTaken(let model, _, _, let other): [RecordKey(model: model, id: other)]
        default: []
        }
    }
}
