package import AviaryDesign
package import AviaryDomain

/// An import as it goes on, or what it did.
package struct ImportReportView: Component {
    /// Links beyond this are no help.
    private static let mostLinks = 50

    let schema: ModelSchema
    let models: Schema
    let job: ImportJob
    /// How many of its steps are taken back.
    let takenBack: Int
    /// The way on behind what is stored.
    let goOn: PostButton?
    /// The way to take back all that it stored.
    let undo: PostButton?

    package init(
        schema: ModelSchema, models: Schema, job: ImportJob, takenBack: Int = 0, goOn: PostButton? = nil,
        undo: PostButton? = nil
    ) {
        self.takenBack = takenBack
        self.goOn = goOn
        self.undo = undo
        self.schema = schema
        self.models = models
        self.job = job
    }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: ImportStartView.title(schema), count: nil, addTitle: "", addHref: nil))
        html.render(job.notice(canGoOn: goOn != nil))
        guard job.state != .running else { return }
        html.element("div", .class("panels")) { html in
            html.render(
                Panel(
                    title: localized("What came of it"),
                    text: [job.stored.words(in: models)] + job.takenBackWords(takenBack),
                    actions: actions
                ))
            html.render(ImportProblems(problems: job.problems, more: job.moreProblems))
        }
    }

    private var actions: [PanelAction] {
        var actions = [goOn, undo].compactMap { $0.map(PanelAction.post) }
        actions += job.stored.commits.prefix(Self.mostLinks).map {
            .link(title: localized("Show step \(Int($0))"), href: ModelPaths.admin + "/activity/\($0)")
        }
        actions.append(.link(title: localized("Show all \(schema.pluralName)"), href: ModelPaths(schema).list))
        return actions
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
