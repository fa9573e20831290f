package import AviaryDesign
package import AviaryDomain

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
                            help: localized("Up to \(sizeLimit >> 20) MiB. Use the import command for larger files."),
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
