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
    let undoneCommits: Int
    /// The button that continues after the last stored line.
    let resume: PostButton?
    /// The button that undoes everything that the import stored.
    let undo: PostButton?

    package init(
        schema: ModelSchema, models: Schema, job: ImportJob, undoneCommits: Int = 0, resume: PostButton? = nil,
        undo: PostButton? = nil
    ) {
        self.undoneCommits = undoneCommits
        self.resume = resume
        self.undo = undo
        self.schema = schema
        self.models = models
        self.job = job
    }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: ImportStartView.title(schema), count: nil, addTitle: "", addHref: nil))
        html.render(job.notice(canGoOn: resume != nil))
        guard job.state != .running else { return }
        html.element("div", .class("panels")) { html in
            html.render(
                Panel(
                    title: localized("Result"),
                    text: [job.stored.words(in: models)] + job.undoneText(undoneCommits),
                    actions: actions
                ))
            html.render(ImportProblems(summary: job.problemSummary))
        }
    }

    private var actions: [PanelAction] {
        var actions = [resume, undo].compactMap { $0.map(PanelAction.post) }
        let commits = job.stored.commits
        actions += commits.prefix(Self.mostLinks).map {
            .link(
                title: commits.count == 1
                    ? localized("Show in Activity") : localized("Show step \(Int($0)) in Activity"),
                href: ModelPaths.admin + "/activity/\($0)")
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
        if !counts.isEmpty { parts.append(localized("New: \(TextFormatter.list(counts)).")) }
        if updated > 0 { parts.append(localized("Changed: \(updated).")) }
        if unchanged > 0 { parts.append(localized("Unchanged: \(unchanged).")) }
        return parts.isEmpty ? localized("Nothing.") : parts.joined(separator: " ")
    }

    /// Returns the expected report in words, for example `3 animals and 1 category will be added. 2 animals will be
    /// changed.`
    func forecast(for model: ModelSchema, in schema: Schema) -> String {
        let counts = schema.models.compactMap { other in inserted[other.name].map(other.counted) }
        var parts: [String] = []
        if !counts.isEmpty {
            let (added, count) = (TextFormatter.list(counts), inserted.values.reduce(0, +))
            parts.append(localized(count, one: "\(added) will be added.", other: "\(added) will be added."))
        }
        if updated > 0 {
            let changed = model.counted(updated)
            parts.append(
                localized(updated, one: "\(changed) will be changed.", other: "\(changed) will be changed."))
        }
        if unchanged > 0 {
            let same = model.counted(unchanged)
            parts.append(
                localized(unchanged, one: "\(same) will stay unchanged.", other: "\(same) will stay unchanged."))
        }
        return parts.isEmpty ? localized("Nothing will be imported.") : parts.joined(separator: " ")
    }
}

extension ImportJob {
    /// Returns a notice with the progress or the result.
    func notice(canGoOn: Bool = false) -> Notice {
        switch state {
        case .running:
            Notice(
                .information,
                localized("Importing the file. \(progress.words) You can leave this page."))
        case .done: Notice(.success, localized("Imported the file"))
        case .failed: Notice(.failure, canGoOn ? failure + " " + Self.continueAdvice : failure)
        case .interrupted: Notice(.warning, interruption + " " + (canGoOn ? Self.continueAdvice : undoAdvice))
        }
    }

    /// Returns a sentence that says how much of the import was undone.
    func undoneText(_ count: Int) -> [String] {
        guard count > 0 else { return [] }
        guard count < stored.commits.count else { return [localized("Everything has been undone since then.")] }
        return [
            localized(
                count, one: "1 of \(stored.commits.count) steps has been undone since then.",
                other: "\(count) of \(stored.commits.count) steps have been undone since then."
            )
        ]
    }

    private var failure: String {
        let line = String(stored.lastLine)
        if let wrongLines {
            return stored.commits.isEmpty
                ? localized(
                    wrongLines.count,
                    one: "Nothing was imported: \(wrongLines.count) line has problems (line \(wrongLines.words)).",
                    other: "Nothing was imported: \(wrongLines.count) lines have problems (lines \(wrongLines.words))."
                )
                : localized(
                    wrongLines.count,
                    one:
                        "Stopped after line \(line): \(wrongLines.count) line has problems (line \(wrongLines.words)).",
                    other:
                        "Stopped after line \(line): \(wrongLines.count) lines have problems (lines \(wrongLines.words))."
                )
        }
        let reason = reason ?? ""
        return stored.commits.isEmpty
            ? localized("Nothing was imported: \(reason)") : localized("Stopped after line \(line): \(reason)")
    }

    private var interruption: String {
        let batches = stored.commits.count
        guard batches > 0 else { return localized("The import was interrupted. Nothing was saved.") }
        return localized(
            batches,
            one: "The import was interrupted. Saved 1 complete batch, up to line \(String(stored.lastLine)).",
            other:
                "The import was interrupted. Saved \(batches) complete batches, up to line \(String(stored.lastLine))."
        )
    }

    private static var continueAdvice: String {
        localized("Continue imports the remaining lines. Nothing is imported twice.")
    }

    private var undoAdvice: String {
        stored.commits.isEmpty
            ? localized("Start again.") : localized("Undo the imported lines, or import the remaining ones.")
    }
}
