import AviaryDomain
import Foundation

/// The description of conflicts that block an undo, with the names of records.
struct UndoObstacleFormatter {
    let scope: ActivityScope
    let titles: RecordTitles

    static func sentences(
        _ obstacles: [UndoObstacle], in scope: ActivityScope, history: any HistoryRepository
    ) async -> [UndoObstacleText] {
        let keys = Set(obstacles.flatMap(\.records))
        // If the names cannot be read, the sentences are still correct without them.
        var titles = (try? await RecordTitles.read(keys, in: scope)) ?? RecordTitles()
        try? await titles.readGone(keys, in: scope, history: history)  // as above
        let words = UndoObstacleFormatter(scope: scope, titles: titles)
        var seen: Set<UndoObstacleText> = []
        return obstacles.map(words.text).filter { seen.insert($0).inserted }
    }

    func text(_ obstacle: UndoObstacle) -> UndoObstacleText {
        switch obstacle {
        case .notInHistory: return UndoObstacleText(localized("The history no longer contains this step."))
        case .partlyRecorded:
            return UndoObstacleText(
                localized(
                    "This step also changed records without history, so it can’t be undone completely."
                ))
        case .notPermitted:
            return UndoObstacleText(localized("Your role doesn’t allow changing any of these fields."))
        case .beforeMigration:
            return UndoObstacleText(
                localized("The application has changed since, and the old values no longer fit."))
        case .tooLarge(let changes):
            return UndoObstacleText(
                localized("This step has \(changes) changes, too many to undo at once. Restore a backup instead."))
        case .changedSince(let model, let id, let property, let commit):
            let href = commit.map(ActivityPaths.commit) ?? page(model, id)
            return UndoObstacleText(
                localized("\(label(property, of: model)) of \(name(model, id)) has been changed since then."),
                href: scope.schema(model) == nil ? nil : href
            )
        case .deletedSince(let model, let id):
            return UndoObstacleText(
                localized("\(TextFormatter.capitalized(name(model, id))) has been deleted since then."),
                href: page(model, id))
        case .insertedSince(let model, let id):
            return UndoObstacleText(
                localized("\(TextFormatter.capitalized(name(model, id))) already exists again."), href: page(model, id))
        case .valueTaken(let model, _, let property, let other):
            return UndoObstacleText(
                localized(
                    "\(TextFormatter.capitalized(name(model, other))) now has the same \(TextFormatter.small(label(property, of: model)))."
                ), href: page(model, other)
            )
        case .missingReference(let model, let id, let property):
            return UndoObstacleText(
                localized(
                    "The previous \(TextFormatter.small(label(property, of: model))) of \(name(model, id)) no longer exists."
                ),
                href: page(model, id))
        case .referenced(let model, let other, let count):
            let subject =
                scope.schema(model).map { TextFormatter.withArticle($0.singularName) } ?? localized("a record")
            let others = scope.counted(other, count)
            return UndoObstacleText(
                localized(
                    count, one: "\(others) refers to \(subject) that would be deleted. Delete or change it first.",
                    other: "\(others) refer to \(subject) that would be deleted. Delete or change them first."
                ))
        case .secret(let model, let id, let property):
            return UndoObstacleText(
                localized(
                    "\(label(property, of: model)) of \(name(model, id)) is secret, so the history doesn’t contain its values."
                )
            )
        case .unknownModel:
            return UndoObstacleText(
                localized("This step changed records of a model that no longer exists."))
        @unknown default: return UndoObstacleText(localized("A newer change prevents this."))
        }
    }

    /// Returns the name of a record: `“Kea”`, or `an animal` if it has no title. A record that is not visible is
    /// not described at all.
    private func name(_ model: String, _ id: UUID) -> String {
        guard let schema = scope.schema(model) else { return localized("a record you can’t view") }
        return titles.title(RecordKey(model: model, id: id)).map { TextFormatter.quoted($0) }
            ?? TextFormatter.withArticle(schema.singularName)
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
