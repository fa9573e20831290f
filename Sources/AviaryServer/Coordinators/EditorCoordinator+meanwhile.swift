import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation

// What happened before or beside an editor, and is told in it.
extension EditorCoordinator {
    /// Lays what is stored beside a draft that was begun on an older version.
    func compare(_ editor: inout EditorViewModel, with stored: Record, of model: AdminModel) async {
        guard let version = editor.version, version != stored.version else { return }
        // Without the history every difference is to be chosen.
        let past = (try? await site.container.history.past(of: stored.id, in: model.schema.name, since: version)) ?? nil
        editor.compare(with: stored, past: past, at: site.now())
    }

    func compareAgain(_ editor: inout EditorViewModel, of model: AdminModel) async {
        guard editor.against != nil, let stored = editor.stored else { return }
        await compare(&editor, with: stored, of: model)
    }

    /// "Save and add another" says what it saved.
    func tellOfSaved(_ editor: inout EditorViewModel, of model: AdminModel, context: AdminRequestContext) async throws {
        guard editor.message == nil, let id = context.query.value("added").flatMap({ UUID(canonicalText: $0) }),
              let saved = try await find(id, of: model)
        else { return }
        editor.say(EditorMessage(
            .information, localized("“\(saved.title(in: model.schema))” is saved. Here is the next one."),
            link: EditorMessage.Link(title: localized("Show it"), path: model.paths.record(id))
        ))
    }

    /// A record that is added for another form says which one waits.
    func tellOfWaiting(_ editor: inout EditorViewModel, on shelf: DraftShelf) {
        guard editor.message == nil, let waiting = waiting(editor.parent, on: shelf) else { return }
        let schema = waiting.model.schema
        editor.say(EditorMessage(
            .information, localized("Your \(schema.singularName) waits as a draft: Save leads back to it and chooses this \(editor.schema.singularName) there, Cancel only leads back.")
        ))
    }

    /// A fresh sheet after a Save.
    func anotherAddress(after editor: EditorViewModel, of model: AdminModel, query: ListQuery) -> String {
        let place = query.text(for: model.configuration)
        let fields = [FormField(name: "fresh", value: "1"), FormField(name: "added", value: editor.record.canonicalText)]
        return model.paths.new.withQuery(FormEncoding.encode(fields) + (place.isEmpty ? "" : "&" + place))
    }
}
