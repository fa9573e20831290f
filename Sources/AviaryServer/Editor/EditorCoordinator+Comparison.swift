import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation

// What happened before or beside an editor, and is told in it.
extension EditorCoordinator {
    /// Lays what is stored beside a draft that was begun on an older version.
    func compare(_ editor: inout EditorViewModel, with stored: Record, of model: AdminModel) async {
        await editor.compareRows(history: site.container.history, at: site.now())
        guard let version = editor.version, version != stored.version else { return editor.tellOfRows() }
        // Without the history every difference is to be chosen.
        let past = (try? await site.container.history.past(of: stored.id, in: model.schema.name, since: version)) ?? nil
        editor.compare(with: stored, past: past, at: site.now())
    }

    func compareAgain(_ editor: inout EditorViewModel, of model: AdminModel) async {
        guard editor.against != nil || editor.hasComparedRows, let stored = editor.stored else { return }
        await compare(&editor, with: stored, of: model)
    }

    /// "Save and add another" says what it saved.
    func tellOfSaved(_ editor: inout EditorViewModel, of model: AdminModel, context: AdminRequestContext) async throws {
        guard editor.message == nil, let id = context.query.value("added").flatMap({ UUID(canonicalText: $0) }),
            let saved = try await find(id, of: model)
        else { return }
        editor.say(
            EditorMessage(
                .information,
                localized("“\(Words.isolated(saved.title(in: model.schema)))” is saved. Here is the next one."),
                link: EditorMessage.Link(title: localized("Show it"), path: model.paths.record(id))
            ))
    }

    /// A form that waited for another record says that this is saved, and it is not yet.
    func tellOfChosen(_ editor: inout EditorViewModel, of model: AdminModel, context: AdminRequestContext) async throws
    {
        guard editor.message == nil, editor.isKept,
            let id = context.query.value("chosen").flatMap({ UUID(canonicalText: $0) }),
            let property = context.query.value("field").flatMap(model.schema.property), editor.mayShow(property),
            editor.isChosen(id, for: property.name),
            let target = property.type.model.flatMap(site.container.model(named:)),
            let saved = try await find(id, of: target)
        else { return }
        editor.say(
            EditorMessage(
                .information,
                localized(
                    "“\(Words.isolated(saved.title(in: target.schema)))” is saved and chosen here. This form is not saved yet."
                )
            ))
    }

    /// A record that is added for another form says which one waits.
    func tellOfWaiting(_ editor: inout EditorViewModel, on shelf: DraftShelf) {
        guard editor.message?.kind != .warning, let waiting = waiting(editor.parent, on: shelf) else { return }
        let schema = waiting.model.schema
        let text = localized(
            "Your \(schema.singularName) waits as a draft: Save leads back to it and chooses this \(editor.schema.singularName) there, Cancel only leads back."
        )
        // Beside what is said already of what was saved before.
        editor.say(
            EditorMessage(
                .information, (editor.message.map { $0.text + " " } ?? "") + text, link: editor.message?.link
            ))
    }

    /// Where an address leads whose draft was saved or discarded, or is of something else: to a fresh sheet, which says what was
    /// saved. Nil where the draft is open.
    func address(
        after draft: UUID, of model: AdminModel, on shelf: DraftShelf, context: AdminRequestContext
    ) async -> String? {
        // Unreadable for a moment: Save looks again.
        let outcome = (try? await site.container.ledger.outcome(ofDraft: draft)) ?? nil
        guard outcome != nil || shelf.draft(draft) != nil else { return nil }
        // What was chosen on the way was chosen in that one.
        var fields = context.query.filter { !["draft", "chosen", "field"].contains($0.name) }
        if case .saved(let commit) = outcome, let record = await record(addedBy: commit, to: model) {
            fields = [FormField(name: "added", value: record.canonicalText)] + fields.filter { $0.name != "added" }
        }
        return model.paths.fresh(fields)
    }

    /// The one that the form was about comes first. Of what the history does not keep nothing is told.
    private func record(addedBy commit: Int64, to model: AdminModel) async -> UUID? {
        let changes = try? await site.container.history.changes(
            of: commit, models: [model.schema.name], after: nil, limit: 1)
        return changes?.first { $0.kind == .insert }?.record
    }

    /// A fresh sheet after a Save.
    func anotherAddress(after editor: EditorViewModel, of model: AdminModel, query: ListQuery) -> String {
        let place = query.text(for: model.configuration)
        return model.paths.fresh([FormField(name: "added", value: editor.record.canonicalText)])
            + (place.isEmpty ? "" : "&" + place)
    }
}
