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
        // The result of the attempt already names the error.
        if let error = preview.error, model.tried?.state != .failed {
            html.render(Notice(.warning, error.words(in: schema)))
        }
        html.element("div", .class("panels")) { html in
            if isGood { html.render(Panel(title: localized("Preview"), text: outcome)) }
            html.render(problems)
            html.render(form)
        }
        if !preview.rows.isEmpty {
            html.element("h2", text: localized("First lines"))
            html.render(
                PlainTable(
                    caption: localized("First lines"), columns: preview.columns.map(Self.short),
                    rows: preview.rows.map { $0.cells.map { Self.short($0.shown) } }
                ))
        }
    }

    private var form: FormPanel {
        var form = FormPanel(
            title: localized("Columns"), text: [localized("Choose the field for each column of the file.")],
            action: ModelPaths(schema).importing(file), csrf: csrf, fields: columns,
            submits: [
                FormPanel.Submit(localized("Preview"), name: "do", value: "check"),
                FormPanel.Submit(localized("Import"), name: "do", value: "import", isPrimary: isGood),
                FormPanel.Submit(localized("Cancel"), name: "do", value: "cancel"),
            ]
        )
        form.group = FormPanel.Group(title: localized("Options"), fields: options)
        return form
    }

    /// Indicates whether the lines read so far are all valid. One invalid line is enough to reject the import.
    private var isGood: Bool { preview.error == nil && preview.wrongLines == 0 && model.tried?.state != .failed }

    /// The problems of all lines if a tried import found some, or else those of the preview.
    private var problems: ImportProblems {
        if let tried = model.tried, !tried.problems.isEmpty {
            return ImportProblems(summary: tried.problemSummary)
        }
        return ImportProblems(summary: preview.summary)
    }

    private var refusal: String? {
        let (wrong, all) = (preview.wrongLines, preview.lines)
        guard wrong > 0 else { return nil }
        return preview.isWhole
            ? localized(
                wrong, one: "Nothing would be imported: \(wrong) of \(all) lines has problems.",
                other: "Nothing would be imported: \(wrong) of \(all) lines have problems."
            )
            : localized(
                wrong, one: "Nothing would be imported: \(wrong) of the first \(all) lines has problems.",
                other: "Nothing would be imported: \(wrong) of the first \(all) lines have problems."
            )
    }

    private var outcome: [String] {
        let report = preview.report.forecast(for: schema, in: model.models)
        var text = [preview.isWhole ? report : localized("First \(preview.lines) lines: \(report)")]
        if !preview.isWhole {
            text.append(
                localized(
                    "Only the first \(ImportViewModel.previewedLines) lines are previewed. All lines are checked before anything is saved."
                ))
        }
        return text
    }

    private var columns: [Field] {
        let options =
            [
                Option(value: ImportSettings.leftOut, label: localized("Don’t import")),
                Option(value: "id", label: localized("ID")),
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
                    name: "match", label: localized("Existing records"),
                    control: .select(
                        options: [
                            Option(value: "", label: localized("None (add all as new)")),
                            Option(value: "id", label: localized("With the same ID")),
                        ] + unique,
                        selected: model.settings.matchName, prompt: nil
                    ), help: localized("Existing records are updated. Values that the file doesn’t contain are kept.")
                ))
        }
        if ImportViewModel.mayCreateRelated(schema, model.models, model.principal) {
            fields.append(
                Field(
                    name: "related", label: localized("Create missing referenced records"),
                    control: .toggle(isOn: model.settings.createsRelated)
                ))
        }
        fields.append(
            Field(
                name: "null", label: localized("Treat as empty"),
                control: .text(value: model.settings.nullMarkers.joined(separator: ", "), maxLength: 200),
                help: localized("Separate texts with commas, such as NA, n/a.")
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

/// The problems of a file: equal ones together, with their number and values.
struct ImportProblems: Component {
    /// The largest number of groups on the page. Users do not read more.
    private static let mostShown = 20

    let summary: ProblemSummary

    func render(into html: inout HTML) {
        guard !summary.isEmpty else { return }
        html.render(Panel(title: localized("Problems"), text: summary.lines(atMost: Self.mostShown)))
    }
}

/// The page that uploads a file of records.
package struct ImportStartView: Component {
    let schema: ModelSchema
    let csrf: String
    let error: String?
    /// The import that was started last.
    let last: ImportJob?
    /// The largest size of a file in bytes.
    let sizeLimit: Int

    package init(schema: ModelSchema, csrf: String, error: String? = nil, last: ImportJob? = nil, sizeLimit: Int) {
        self.schema = schema
        self.csrf = csrf
        self.error = error
        self.last = last
        self.sizeLimit = sizeLimit
    }

    package static func title(_ schema: ModelSchema) -> String { localized("Import \(schema.pluralName)") }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title(schema), count: nil, addTitle: "", addHref: nil))
        html.element("div", .class("panels")) { html in
            html.render(
                FormPanel(
                    title: localized("File with \(schema.pluralName)"),
                    text: [
                        localized(
                            "CSV with the column names in the first line, or JSON Lines with one object per line, as in exports."
                        ),
                        localized("You see a preview first. Nothing is saved until you select Import."),
                    ],
                    action: ModelPaths(schema).importing, csrf: csrf,
                    fields: [
                        Field(
                            name: "file", label: localized("File"),
                            control: .file(accept: ".csv,.jsonl,.ndjson,.gz,text/csv"),
                            help: localized(
                                "Up to \(TextFormatter.size(sizeLimit)). Use the import command for larger files."),
                            error: error, isRequired: true
                        )
                    ],
                    submits: [FormPanel.Submit(localized("Upload"), isPrimary: true)],
                    alternative: (title: localized("Cancel"), href: ModelPaths(schema).list)
                ))
            if let last {
                let title = last.state == .running ? localized("Show progress") : localized("Show result")
                html.render(
                    Panel(
                        title: localized("Your last import"),
                        text: [
                            localized("Started \(last.startedAt.rfc3339.map(DateTextFormatter.dateAndTime) ?? "").")
                        ],
                        actions: [.link(title: title, href: ModelPaths(schema).importing(last.file))]
                    ))
            }
        }
    }
}
