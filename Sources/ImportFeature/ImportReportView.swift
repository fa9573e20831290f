package import AviaryDesign
package import AviaryDomain

/// The progress or the result of an import.
package struct ImportReportView: Component {
    /// The largest number of links. More are not helpful.
    private static let mostLinks = 50

    let schema: ModelSchema
    let models: Schema
    let job: ImportJob
    /// The number of the import's steps that were undone.
    let takenBack: Int
    /// The button that continues after the last stored line.
    let goOn: PostButton?
    /// The button that undoes everything that the import stored.
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
    /// Returns the report in words, for example `3 animals and 1 category are new; 2 were changed; 5 were as they
    /// are.`
    func words(in schema: Schema) -> String {
        let counts = schema.models.compactMap { model in inserted[model.name].map(model.counted) }
        var parts: [String] = []
        if !counts.isEmpty { parts.append(localized("New: \(Words.list(counts)).")) }
        if updated > 0 { parts.append(localized("Changed: \(updated).")) }
        if unchanged > 0 { parts.append(localized("As they were: \(unchanged).")) }
        return parts.isEmpty ? localized("Nothing.") : parts.joined(separator: " ")
    }
}

extension ImportJob {
    /// Returns a notice with the progress or the result.
    func notice(canGoOn: Bool = false) -> Notice {
        switch state {
        case .running:
            Notice(
                .information,
                localized("The file is imported. \(progress.words) This page shows how it goes on, and may be left."))
        case .done: Notice(.success, localized("The file was imported."))
        case .failed: Notice(.failure, canGoOn ? failure + " " + Self.wayOn : failure)
        case .interrupted: Notice(.warning, interruption + " " + (canGoOn ? Self.wayOn : wayBack))
        }
    }

    /// Returns a sentence that says how much of the import was undone.
    func takenBackWords(_ count: Int) -> [String] {
        guard count > 0 else { return [] }
        guard count < stored.commits.count else { return [localized("All of it was taken back since.")] }
        return [
            localized(
                count, one: "1 of its \(stored.commits.count) steps was taken back since.",
                other: "\(count) of its \(stored.commits.count) steps were taken back since."
            )
        ]
    }

    private var failure: String {
        let line = String(stored.lastLine)
        if let wrongLines {
            return stored.commits.isEmpty
                ? localized(
                    wrongLines.count,
                    one: "Nothing was imported: \(wrongLines.count) line is wrong (\(wrongLines.words)).",
                    other: "Nothing was imported: \(wrongLines.count) lines are wrong (\(wrongLines.words))."
                )
                : localized(
                    wrongLines.count,
                    one: "It stopped behind line \(line): \(wrongLines.count) line is wrong (\(wrongLines.words)).",
                    other: "It stopped behind line \(line): \(wrongLines.count) lines are wrong (\(wrongLines.words))."
                )
        }
        let reason = reason ?? ""
        return stored.commits.isEmpty
            ? localized("Nothing was imported: \(reason)") : localized("It stopped behind line \(line): \(reason)")
    }

    private var interruption: String {
        let batches = stored.commits.count
        guard batches > 0 else { return localized("The import was interrupted before anything was stored.") }
        return localized(
            batches,
            one: "The import was interrupted. 1 batch was stored, whole: the lines up to \(String(stored.lastLine)).",
            other:
                "The import was interrupted. \(batches) batches were stored, each of them whole: the lines up to \(String(stored.lastLine))."
        )
    }

    private static var wayOn: String { localized("Continue stores what is behind, and nothing twice.") }

    private var wayBack: String {
        stored.commits.isEmpty
            ? localized("Begin it again.") : localized("Take back what was stored, or import what is behind.")
    }
}
