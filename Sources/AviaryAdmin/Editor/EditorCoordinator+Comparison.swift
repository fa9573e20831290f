import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation

// Changes before or beside an editor, and the messages about them.
extension EditorCoordinator {
    /// Compares a draft that was begun on an older version with the stored record.
    func compare(_ editor: inout EditorViewModel, with stored: Record, of model: AdminModel) async {
        await editor.compareRows(history: site.container.history, at: site.now())
        guard let version = editor.version, version != stored.version else { return editor.addRowMessages() }
        // Without the history, the person has to choose at every difference.
        let past = (try? await site.container.history.past(of: stored.id, in: model.schema.name, since: version)) ?? nil
        editor.compare(with: stored, past: past, at: site.now())
    }

    func repeatComparison(_ editor: inout EditorViewModel, of model: AdminModel) async {
        guard editor.against != nil || editor.hasComparedRows, let stored = editor.stored else { return }
        await compare(&editor, with: stored, of: model)
    }

    /// Shows the record that "Save and add another" has saved.
    func addSavedMessage(_ editor: inout EditorViewModel, of model: AdminModel, context: AdminRequestContext)
        async throws
    {
        guard editor.message == nil, let id = context.query.value("added").flatMap({ UUID(canonicalText: $0) }),
            let saved = try await find(id, of: model)
        else { return }
        editor.addMessage(
            EditorMessage(
                .information,
                localized("Saved “\(TextFormatter.isolated(saved.title(in: model.schema)))”. Add the next one here."),
                link: EditorMessage.Link(title: localized("Show"), path: model.paths.record(id))
            ))
    }

    /// Tells the person that another record was saved and chosen in this form, and that this form is not saved
    /// yet.
    func addChosenMessage(_ editor: inout EditorViewModel, of model: AdminModel, context: AdminRequestContext)
        async throws
    {
        guard editor.message == nil, editor.isKept,
            let id = context.query.value("chosen").flatMap({ UUID(canonicalText: $0) }),
            let property = context.query.value("field").flatMap(model.schema.property), editor.mayShow(property),
            editor.isChosen(id, for: property.name),
            let target = property.type.model.flatMap(site.container.model(named:)),
            let saved = try await find(id, of: target)
        else { return }
        editor.addMessage(
            EditorMessage(
                .information,
                localized(
                    "Saved “\(TextFormatter.isolated(saved.title(in: target.schema)))” and chose it here. This form is not saved yet."
                )
            ))
    }

    /// Shows which form waits for the record that is being added.
    func addWaitingMessage(_ editor: inout EditorViewModel, on browserDrafts: BrowserDrafts) {
        guard editor.message?.kind != .warning, let waiting = waiting(editor.parent, on: browserDrafts) else { return }
        let schema = waiting.model.schema
        let text = localized(
            "Your \(schema.singularName) is kept as a draft. Save returns to the draft and chooses this \(editor.schema.singularName), Cancel only returns."
        )
        // The text is appended to the message about the record that was saved before.
        editor.addMessage(
            EditorMessage(
                .information, (editor.message.map { $0.text + " " } ?? "") + text, link: editor.message?.link
            ))
    }

    /// Returns the address that replaces one whose draft was saved or discarded, or belongs to another model: a
    /// fresh sheet, which shows the record that was saved. Returns nil when the draft is open.
    func address(
        after draft: UUID, of model: AdminModel, on browserDrafts: BrowserDrafts, context: AdminRequestContext
    ) async -> String? {
        // The ledger may be unreadable for a moment. Save checks the outcome again.
        let outcome = (try? await site.container.ledger.outcome(ofDraft: draft)) ?? nil
        guard outcome != nil || browserDrafts.draft(draft) != nil else { return nil }
        // The choice on the way was made for the settled draft.
        var fields = context.query.filter { !["draft", "chosen", "field"].contains($0.name) }
        if case .saved(let commit) = outcome, let record = await record(addedBy: commit, to: model) {
            fields = [FormField(name: "added", value: record.canonicalText)] + fields.filter { $0.name != "added" }
        }
        return model.paths.fresh(fields)
    }

    /// Returns the record that the commit added to the model.
    ///
    /// The record of the form comes first. The result is nil when the history does not keep the commit.
    private func record(addedBy commit: Int64, to model: AdminModel) async -> UUID? {
        // Without an answer, the list marks no record as added.
        let changes = try? await site.container.history.changes(
            of: commit, models: [model.schema.name], after: nil, limit: 1)
        return changes?.first { $0.kind == .insert }?.record
    }

    /// Returns the address of a fresh sheet after a save.
    func anotherAddress(after editor: EditorViewModel, of model: AdminModel, query: ListQuery) -> String {
        let place = query.text(for: model.configuration)
        return model.paths.fresh([FormField(name: "added", value: editor.record.canonicalText)])
            + (place.isEmpty ? "" : "&" + place)
    }
}
