package import AviaryDesign
package import AviaryDomain

/// What an import did.
package struct ImportReportView: Component {
    /// Links beyond this are no help.
    private static let mostLinks = 50

    let schema: ModelSchema
    let models: Schema
    let report: ImportReport
    /// Why it stopped on its way; nil when it came to its end.
    let reason: String?

    package init(schema: ModelSchema, models: Schema, report: ImportReport, reason: String? = nil) {
        self.schema = schema
        self.models = models
        self.report = report
        self.reason = reason
    }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: ImportStartView.title(schema), count: nil, addTitle: "", addHref: nil))
        if let reason {
            html.render(Notice(.failure, localized("It stopped behind line \(report.lastLine): \(reason)")))
        } else {
            html.render(Notice(.success, localized("The file was imported.")))
        }
        html.element("div", .class("panels")) { html in
            html.render(Panel(
                title: localized("What came of it"),
                text: [report.words(in: models)],
                actions: report.commits.prefix(Self.mostLinks).map {
                    .link(title: localized("Commit \(Int($0))"), href: ModelPaths.admin + "/activity/\($0)")
                } + [.link(title: localized("Show all \(schema.pluralName)"), href: ModelPaths(schema).list)]
            ))
        }
    }
}

extension ImportReport {
    /// `3 animals and 1 category are new; 2 were changed; 5 were as they are.`
    func words(in schema: Schema) -> String {
        let counts = schema.models.compactMap { model in inserted[model.name].map(model.counted) }
        var parts: [String] = []
        if !counts.isEmpty { parts.append(localized("New: \(Words.list(counts)).")) }
        if updated > 0 { parts.append(localized("Changed: \(updated).")) }
        if unchanged > 0 { parts.append(localized("As they were: \(unchanged).")) }
        return parts.isEmpty ? localized("Nothing.") : parts.joined(separator: " ")
    }
}
