import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird

extension EditorCoordinator {
    /// The number of records up to which a field shows a menu. Beyond it, the field offers a search.
    static let mostChoices = 100
    /// The number of records in a menu that the configuration asks for.
    private static let mostMenuChoices = 500

    /// Returns the records that match a text, as JSON for the script of a picker.
    func choices(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        try context.principal.check(.view, model.schema)
        let found = try await choices(of: model, matching: context.query.value("q") ?? "")
        return .json(
            ChoicesResponse(
                choices: found.choices.map { ChoicesResponse.Choice(id: $0.id.canonicalText, title: $0.title) },
                message: found.words(model.schema)
            ))
    }

    func choices(of model: AdminModel, matching text: String) async throws -> FoundRecords {
        try await mappingReadErrors {
            FoundRecords(
                text: text,
                matches: try await model.repository.choices(matching: text, limit: FoundRecords.mostShown + 1))
        }
    }

    /// Returns the possible values of each to-one field: the records of a menu, or those that a search shows.
    func references(for editor: EditorViewModel, of model: AdminModel) async throws -> SheetReferences {
        var references = SheetReferences()
        for property in model.schema.storedProperties {
            guard let target = target(of: property, for: editor) else { continue }
            let widget = editor.sheet.widgets[property.name]
            let selected = selected(property.name, in: editor)
            if try await isSearched(target, widget) {
                references.searches[property.name] = ReferenceSearch(
                    schema: target.schema, shown: try await choices(of: target, ids: selected)
                )
            } else {
                let limit = widget == .select ? Self.mostMenuChoices : Self.mostChoices
                references.choices[property.name] = try await menu(of: target, limit: limit, with: selected)
            }
        }
        for list in editor.rowLists.values {
            for name in list.rows.fields {
                guard let property = list.schema.property(name), let target = target(of: property, for: editor) else {
                    continue
                }
                let selected = list.entries.flatMap { row in
                    identifiers(row.fields[name], row.merge.comparisons[name] ?? row.merge.merged[name])
                }
                if try await isSearched(target, nil) {
                    references.searches[list.rows.property + "." + name] = ReferenceSearch(
                        schema: target.schema, shown: try await choices(of: target, ids: selected)
                    )
                } else {
                    references.choices[list.rows.property + "." + name] = try await menu(
                        of: target, limit: Self.mostChoices, with: selected)
                }
            }
        }
        return references
    }

    private func target(of property: PropertySchema, for editor: EditorViewModel) -> AdminModel? {
        guard case .toOne(let name) = property.type, editor.mayShow(property) else { return nil }
        return site.container.model(named: name)
    }

    /// Returns every record that the page may name for the field: the typed value and those that are compared with
    /// it.
    private func selected(_ property: String, in editor: EditorViewModel) -> [UUID] {
        let both = editor.comparisons[property] ?? editor.merged[property]
        return identifiers(editor.fields[property], both)
    }

    private func identifiers(_ text: String?, _ both: FieldComparison?) -> [UUID] {
        [text, both?.mine, both?.theirs, both?.before].compactMap { text in text.flatMap { UUID(canonicalText: $0) } }
    }

    private func isSearched(_ target: AdminModel, _ widget: SheetWidget?) async throws -> Bool {
        switch widget {
        case .search: return true
        case .select: return false
        default: return try await mappingReadErrors { try await target.repository.count() > Self.mostChoices }
        }
    }

    private func menu(of target: AdminModel, limit: Int, with selected: [UUID]) async throws -> [RecordChoice] {
        let list = try await mappingReadErrors { try await target.repository.choices(limit: limit) }
        let missing = selected.filter { id in !list.contains { $0.id == id } }
        return missing.isEmpty ? list : try await choices(of: target, ids: missing) + list
    }

    private func choices(of target: AdminModel, ids: [UUID]) async throws -> [RecordChoice] {
        guard !ids.isEmpty else { return [] }
        return try await mappingReadErrors { try await target.repository.choices(of: Array(Set(ids))) }
    }

    /// Returns the fields for which this person may add a record at once.
    func creations(for editor: EditorViewModel, of model: AdminModel) -> Set<String> {
        Set(
            model.schema.properties.map(\.name).filter { name in
                guard editor.mayChoose(name), let target = model.schema.property(name)?.type.model else { return false }
                return editor.mayAdd(target) && site.container.model(named: target) != nil
            })
    }
}

/// The records that the fields of a sheet refer to.
struct SheetReferences: Sendable {
    var choices: [String: [RecordChoice]] = [:]
    var searches: [String: ReferenceSearch] = [:]
}

private struct ChoicesResponse: Encodable {
    struct Choice: Encodable {
        let id: String
        let title: String
    }

    let choices: [Choice]
    let message: String
}

extension EditorCoordinator {
    /// Reads the data that belongs to the editor's record: many-to-many fields and rows.
    func readRelated(
        _ editor: inout EditorViewModel, of model: AdminModel, form: [FormField] = [], draft: Draft? = nil
    ) async throws {
        try await readLinks(&editor, of: model, form: form, draft: draft)
        guard !model.configuration.sheet.rows.isEmpty else { return }
        let sources = Dictionary(
            model.configuration.sheet.rows.compactMap { rows in
                site.container.model(named: rows.schema.name).map { (rows.property, $0.repository) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        editor = try await mappingReadErrors { [editor] in
            var editor = editor
            try await editor.readRows(sources, form: form, draft: draft)
            return editor
        }
    }

    private func readLinks(
        _ editor: inout EditorViewModel, of model: AdminModel, form: [FormField] = [], draft: Draft? = nil
    ) async throws {
        var targets: [String: any RecordRepository] = [:]
        for property in model.schema.properties {
            guard let end = site.schema.link(property.name, of: model.schema.name), editor.mayShow(property) else {
                continue
            }
            targets[property.name] = site.container.model(named: end.other.model)?.repository
        }
        guard !targets.isEmpty else { return }
        editor = try await mappingReadErrors { [editor, targets] in
            var editor = editor
            try await editor.readLinks(targets: targets, form: form, draft: draft)
            return editor
        }
    }

    /// Returns the possible links of each many-to-many field: all records if they are few, else some to begin
    /// with.
    func linkChoices(for editor: EditorViewModel) async throws -> [String: LinkChoices] {
        var choices: [String: LinkChoices] = [:]
        for property in editor.linkProperties {
            guard let name = property.type.model, let target = site.container.model(named: name)?.repository else {
                continue
            }
            let shown = editor.links[property.name]?.shown ?? []
            choices[property.name] = try await mappingReadErrors {
                let isComplete = try await target.count() <= LinkChoices.mostCheckboxes
                return LinkChoices(
                    shown: try await target.choices(of: shown),
                    options: try await target.choices(
                        limit: isComplete ? LinkChoices.mostCheckboxes : Self.mostSuggestions),
                    isComplete: isComplete, of: site.container.model(named: name)?.schema
                )
            }
        }
        return choices
    }

    private static let mostSuggestions = 100
}
