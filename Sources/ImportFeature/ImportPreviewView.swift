package import AviaryDesign
package import AviaryDomain

/// The preview of an import: the interpretation of the file and its problems.
package struct ImportPreviewView: Component {
    let model: ImportViewModel
    let file: String
    let csrf: String

    package init(model: ImportViewModel, file: String, csrf: String) {
        self.model = model
        self.file = file
        self.csrf = csrf
    }

    private var preview: ImportPreview { model.preview }
    private var schema: ModelSchema { model.schema }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: ImportStartView.title(schema), count: nil, addTitle: "", addHref: nil))
        if let tried = model.tried {
            html.render(tried.notice())
        } else if let refusal {
            html.render(Notice(.failure, refusal))
        }
        if let error = preview.error { html.render(Notice(.warning, error.description)) }
        html.element("div", .class("panels")) { html in
            if isGood { html.render(Panel(title: localized("What would come of it"), text: outcome)) }
            html.render(problems)
            html.render(
                FormPanel(
                    title: localized("Columns"), text: [localized("Which property each column of the file fills.")],
                    action: ModelPaths(schema).importing(file), csrf: csrf, fields: columns + options,
                    submits: [
                        FormPanel.Submit(localized("Look again"), name: "do", value: "check"),
                        FormPanel.Submit(localized("Import"), name: "do", value: "import", isPrimary: isGood),
                        FormPanel.Submit(localized("Cancel"), name: "do", value: "cancel"),
                    ]
                ))
        }
        if !preview.rows.isEmpty {
            html.element("h2", text: localized("The first lines"))
            html.render(
                PlainTable(
                    caption: localized("The first lines"), columns: preview.columns.map(Self.short),
                    rows: preview.rows.map { $0.cells.map { Self.short($0.shown) } }
                ))
        }
    }

    /// Indicates whether the lines read so far are all valid. One invalid line is enough to reject the import.
    private var isGood: Bool { preview.error == nil && preview.wrongLines == 0 && model.tried?.state != .failed }

    /// The problems of all lines if a tried import found some, or else those of the preview.
    private var problems: ImportProblems {
        if let tried = model.tried, !tried.problems.isEmpty {
            return ImportProblems(problems: tried.problems, more: tried.moreProblems)
        }
        return ImportProblems(problems: preview.problems, more: preview.moreProblems)
    }

    private var refusal: String? {
        let (wrong, all) = (preview.wrongLines, preview.lines)
        guard wrong > 0 else { return nil }
        return preview.isWhole
            ? localized(
                wrong, one: "Nothing would be imported: \(wrong) of \(all) lines is wrong.",
                other: "Nothing would be imported: \(wrong) of \(all) lines are wrong."
            )
            : localized(
                wrong, one: "Nothing would be imported: \(wrong) of the first \(all) lines is wrong.",
                other: "Nothing would be imported: \(wrong) of the first \(all) lines are wrong."
            )
    }

    private var outcome: [String] {
        let report = preview.report.words(in: model.models)
        var text = [preview.isWhole ? report : localized("Of the first \(preview.lines) lines – \(report)")]
        if !preview.isWhole {
            text.append(
                localized(
                    "These are the first \(ImportViewModel.previewedLines) lines. The others are looked at before anything is stored."
                ))
        }
        return text
    }

    private var columns: [Field] {
        let options =
            [
                Option(value: ImportSettings.leftOut, label: localized("Left out")),
                Option(value: "id", label: localized("id")),
            ]
            + ImportViewModel.offered(schema, model.models, model.principal).map {
                Option(value: $0.name, label: $0.label)
            }
        return preview.columns.enumerated().map { index, name in
            let property = model.settings.properties.indices.contains(index) ? model.settings.properties[index] : nil
            return Field(
                name: ImportSettings.name(ofColumn: index),
                label: name.isEmpty ? localized("Column \(index + 1)") : Self.short(name),
                control: .select(options: options, selected: property ?? ImportSettings.leftOut, prompt: nil),
                help: example(index)
            )
        }
    }

    /// Returns examples of the column's values.
    private func example(_ index: Int) -> String? {
        let cells = preview.rows.lazy.compactMap { $0.cells.indices.contains(index) ? $0.cells[index].shown : nil }
            .filter { !$0.isEmpty }
        let shown = cells.prefix(3).map(Self.short)
        return shown.isEmpty ? nil : localized("For example: \(shown.joined(separator: ", "))")
    }

    private var options: [Field] {
        var fields: [Field] = []
        if model.principal.may(.edit, schema.name) {
            let unique = schema.storedProperties.filter(\.isUnique).map {
                Option(value: $0.name, label: localized("With the same \($0.labelInSentence)"))
            }
            fields.append(
                Field(
                    name: "match", label: localized("Records that are there already"),
                    control: .select(
                        options: [
                            Option(value: "", label: localized("None: all are new")),
                            Option(value: "id", label: localized("With the same id")),
                        ] + unique,
                        selected: model.settings.matchName, prompt: nil
                    ), help: localized("They are changed, and keep what the file does not name.")
                ))
        }
        if ImportViewModel.mayCreateRelated(schema, model.models, model.principal) {
            fields.append(
                Field(
                    name: "related", label: localized("Add what references name and does not exist"),
                    control: .toggle(isOn: model.settings.createsRelated)
                ))
        }
        fields.append(
            Field(
                name: "null", label: localized("Texts that stand for no value"),
                control: .text(value: model.settings.nullMarkers.joined(separator: ", "), maxLength: 200),
                help: localized("Such as NA, with commas between them.")
            ))
        return fields
    }

    private static func short(_ text: String) -> String {
        // The text is truncated by Unicode scalars, because one character may contain any number of combining
        // marks.
        let beginning = text.unicodeScalars.prefix(60)
        return beginning.endIndex == text.endIndex ? text : String(beginning) + "…"
    }
}

/// The problems of a file by line.
struct ImportProblems: Component {
    /// The largest number of problems on the page. Users do not read more.
    private static let mostShown = 20

    let problems: [LineProblem]
    let more: Int

    func render(into html: inout HTML) {
        guard !problems.isEmpty else { return }
        let left = more + max(0, problems.count - Self.mostShown)
        html.render(
            Panel(
                title: localized("Problems"),
                text: problems.prefix(Self.mostShown).map { localized("Line \($0.line): \($0.message)") }
                    + (left > 0 ? [localized("and \(left) more")] : [])
            ))
    }
}
