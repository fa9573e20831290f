import ActivityFeature
import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation

extension EditorCoordinator {
    /// Fills the sheet of a new record with what another holds, where the address asks for that: `like=`, its id. What no two
    /// records may have alike stays empty, and so do secrets.
    func fillInCopy(_ editor: inout EditorViewModel, of model: AdminModel, context: AdminRequestContext) async throws {
        guard let id = context.query.value("like").flatMap({ UUID(canonicalText: $0) }) else { return }
        guard let record = try await find(id, of: model) else {
            return editor.say(
                EditorMessage(.warning, localized("What was to be copied is gone. This is an empty form.")))
        }
        let properties = model.schema.storedProperties.filter { !$0.isUnique }
        editor.fillIn(
            Dictionary(
                properties.map { ($0.name, record.value($0.name, in: model.schema)) },
                uniquingKeysWith: { first, _ in first }
            ))
        let title = Words.isolated(record.title(in: model.schema))
        editor.say(
            EditorMessage(
                .information, localized("These are the values of “\(title)”. Nothing is stored before you save.")))
    }

    /// Where one can go on from a record's sheet.
    ///
    /// - Parameter location: The query string that leads back to the same part of the list.
    func links(
        of editor: EditorViewModel, of model: AdminModel, location: String, context: AdminRequestContext
    ) throws -> SheetLinks {
        guard !editor.isNew else { return SheetLinks() }
        let principal = try context.principal
        var links: [SheetLinks.Link] = []
        if principal.may(.activity) {
            links.append(.init(localized("History"), href: ActivityPaths.history(of: editor.record, in: model.schema)))
        }
        if principal.may(.add, model.schema.name) {
            let copied = FormField(name: "like", value: editor.record.canonicalText)
            links.append(.init(localized("Make a copy"), href: model.paths.fresh([copied])))
        }
        if editor.stored != nil, principal.may(.delete, model.schema.name) {
            var fields = [FormField(name: "id", value: editor.record.canonicalText), DeletionCoordinator.inSheet]
            if !location.isEmpty { fields.append(FormField(name: "return", value: location)) }
            links.append(
                .init(
                    localized("Delete…"), href: model.paths.delete.withQuery(FormEncoding.encode(fields)),
                    isDestructive: true
                ))
        }
        return SheetLinks(links)
    }
}
