import AviaryDomain
import EditorFeature
import Foundation

extension EditorCoordinator {
    /// Gives the editor what belongs to its record: many-to-many fields and rows.
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
        editor = try await reading { [editor] in
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
        editor = try await reading { [editor, targets] in
            var editor = editor
            try await editor.readLinks(targets: targets, form: form, draft: draft)
            return editor
        }
    }

    /// What each many-to-many field may be linked with: all there are, if they are few, else names to begin with.
    func linkChoices(for editor: EditorViewModel) async throws -> [String: LinkChoices] {
        var choices: [String: LinkChoices] = [:]
        for property in editor.linkProperties {
            guard let name = property.type.model, let target = site.container.model(named: name)?.repository else {
                continue
            }
            let shown = editor.links[property.name]?.shown ?? []
            choices[property.name] = try await reading {
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
