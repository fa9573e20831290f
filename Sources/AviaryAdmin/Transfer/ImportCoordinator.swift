import ActivityFeature
import AviaryDesign
import AviaryDomain
import AviaryHTTP
import Foundation
import HTTPTypes
import Hummingbird
import ImportFeature
import Logging

/// The coordinator of imports: the person uploads a file, sees a preview, and then starts the import with a form
/// of its own.
struct ImportCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// The limit on concurrent previews in a process. Each one processes a file.
    private static let previews = AsyncSemaphore(2)

    private var files: any ImportFiles { site.container.importFiles }

    private func target(for principal: Principal) -> ImportTarget { site.container.importTarget(for: principal.name) }

    /// Shows the page for uploading a file.
    func start(_ model: AdminModel, context: AdminRequestContext, error: String? = nil) async throws -> Response {
        let last = try await ImportViewModel.lastJob(for: model.schema, principal: try context.principal, files: files)
        let view = ImportStartView(
            schema: model.schema, csrf: site.tokens.token(for: context.session), error: error, last: last,
            sizeLimit: DependencyContainer.importFileLimit
        )
        return try await page(view, model, context, status: error == nil ? .ok : .unprocessableContent)
    }

    /// Stores the file and redirects to its preview.
    func upload(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        try ImportViewModel.check(principal, model.schema)
        guard let upload = context.upload else { throw PageError.malformedForm }
        do {
            let id = try await files.keep(by: ImportViewModel.owner(principal), for: model.schema.name) {
                try await upload.nextPart()
            }
            if let title = await upload.fileName {
                await files.name(id, title, of: ImportViewModel.owner(principal), for: model.schema.name)
            }
            return .seeOther(model.paths.importing(id))
        } catch ImportFileError.empty {
            return try await start(model, context: context, error: localized("The file is empty. Choose another file."))
        } catch ImportFileError.tooLarge(let limit) {
            return try await start(
                model, context: context,
                error: localized(
                    "This file is larger than \(TextFormatter.size(limit)). Use the import command for larger files.")
            )
        } catch ImportFileError.unwritable {
            throw Self.unwritable(model)
        }
    }

    /// Shows the preview of the file and its import, or the progress and the result of the import.
    func show(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        guard
            let job = try await ImportViewModel.job(
                of: file(context), for: model.schema, principal: try context.principal, files: files,
                target: target(for: try context.principal)
            )
        else {
            return try await preview(try await source(model, context), form: nil, model, context)
        }
        if job.state != .running, job.state != .done, job.hasStoredNothing,
            let source = try await storedFile(model, context)
        {
            return try await preview(source, form: job.form, model, context, tried: job)
        }
        // When the history cannot be read for a moment, the page still shows what was imported.
        let undoneCommits = try? await site.container.history.undoneCommits(of: job.stored.commits)
        let isGone = !job.stored.commits.isEmpty && undoneCommits?.count == job.stored.commits.count
        let view = ImportReportView(
            schema: model.schema, models: site.schema, job: job, undoneCommits: undoneCommits?.count ?? 0,
            resume: isGone ? nil : try await resume(job, model, context),
            undo: isGone ? nil : try await undo(job, undoneCommits, model, context)
        )
        return try await page(view, model, context)
            .autoRefreshing(while: job.state == .running)
    }

    /// Returns the button that continues a stopped import with the rest of its file.
    private func resume(_ job: ImportJob, _ model: AdminModel, _ context: AdminRequestContext) async throws
        -> PostButton?
    {
        let principal = try context.principal
        let canGoOn = await ImportViewModel.canGoOn(
            job, for: model.schema, principal: principal, files: files, target: target(for: principal))
        guard canGoOn else { return nil }
        return PostButton(
            localized("Continue"), action: model.paths.importing(job.file),
            csrf: site.tokens.token(for: context.session),
            hidden: [("do", "continue")], style: .primary
        )
    }

    /// Returns the button that undoes the steps of the import one after the other.
    ///
    /// A single step is undone from its own page.
    private func undo(
        _ job: ImportJob, _ undoneCommits: Set<Int64>?, _ model: AdminModel, _ context: AdminRequestContext
    ) async throws -> PostButton? {
        let count = job.stored.commits.count
        guard job.state != .running, count > 1, let series = job.series.map({ ChangeSetSeries($0) }) else { return nil }
        let principal = try context.principal
        let undo = BatchUndoRun(
            series, scope: site.activityScope(of: principal), history: site.container.history,
            isGood: { [accounts = site.container.accounts] in try await accounts.isGood(principal) })
        // A page without the button is better than no page.
        guard let newest = try? await undo.beginning(of: count, undoneCommits: undoneCommits) else { return nil }
        return PostButton(
            localized("Undo all"), action: ActivityPaths.undo(newest),
            csrf: site.tokens.token(for: context.session),
            hidden: BatchUndoView.fields(series, returningTo: model.paths.list)
        )
    }

    /// Shows the preview with other choices, imports the file, continues the import, or removes the file.
    func run(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        switch context.form.value("do") {
        case "import", "continue": return try await begin(model, context)
        case "cancel":
            let principal = try context.principal
            try ImportViewModel.check(principal, model.schema)
            await files.discard(file(context), of: ImportViewModel.owner(principal), for: model.schema.name)
            return .seeOther(model.paths.list)
        default:
            try ImportViewModel.check(try context.principal, model.schema)
            // An import that has begun, perhaps in another tab, has taken the file. Its page shows the progress.
            guard let source = try await storedFile(model, context) else {
                return try await show(model, context: context)
            }
            return try await preview(source, form: context.form, model, context)
        }
    }

    private func begin(_ model: AdminModel, _ context: AdminRequestContext) async throws -> Response {
        let (id, principal) = (file(context), try context.principal)
        let log = try OperationLog(context), name = model.schema.name
        let onEnd: @Sendable (ImportJob) -> Void = { job in
            log.note(
                "an import ended",
                [
                    "model": "\(name)", "state": "\(job.state)", "lines": "\(job.stored.lineCount)",
                    "commits": "\(job.stored.commits.count)",
                ])
        }
        do {
            if context.form.value("do") == "continue" {
                try await ImportViewModel.resume(
                    with: id, for: model.schema, in: site.schema, principal: principal, files: files,
                    target: target(for: principal),
                    onEnd: onEnd
                )
            } else {
                try await ImportViewModel.begin(
                    id, form: context.form, for: model.schema, in: site.schema, principal: principal, files: files,
                    target: target(for: principal), at: site.now(), onEnd: onEnd
                )
            }
        } catch ImportFileError.busy {
            let running = try await ImportViewModel.lastJob(for: model.schema, principal: principal, files: files)
            guard running?.file == id else { throw Self.busy(model, with: running) }
        } catch ImportFileError.unwritable {
            throw Self.unwritable(model)
        } catch is ImportFileError {
            throw Self.gone(model)
        }
        // Most imports are short, so the person can see the result at once.
        for _ in 0..<20 {
            guard
                try await ImportViewModel.lastJob(for: model.schema, principal: principal, files: files)?.state
                    == .running
            else { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        return .seeOther(model.paths.importing(id))
    }

    private func preview(
        _ source: any ImportSource, form: [FormField]?, _ model: AdminModel, _ context: AdminRequestContext,
        tried: ImportJob? = nil
    ) async throws -> Response {
        let principal = try context.principal
        do {
            // Reading and rendering a thousand lines with as many columns takes a while.
            return try await Self.previews.use {
                try await offloadFromEventLoop {
                    let viewModel = try await ImportViewModel(
                        source, form: form, for: model.schema, in: site.schema, principal: principal,
                        lookUp: StoredRecords(container: site.container, author: principal.name), tried: tried
                    )
                    let view = ImportPreviewView(
                        model: viewModel, file: file(context), csrf: site.tokens.token(for: context.session))
                    return try await page(view, model, context)
                }
            }
        } catch let error as ImportError {
            await files.discard(file(context), of: ImportViewModel.owner(principal), for: model.schema.name)
            return try await start(model, context: context, error: error.words(in: model.schema))
        }
    }

    private func source(_ model: AdminModel, _ context: AdminRequestContext) async throws -> any ImportSource {
        try ImportViewModel.check(try context.principal, model.schema)
        guard let source = try await storedFile(model, context) else { throw Self.gone(model) }
        return source
    }

    private func storedFile(_ model: AdminModel, _ context: AdminRequestContext) async throws -> (any ImportSource)? {
        await files.file(file(context), of: ImportViewModel.owner(try context.principal), for: model.schema.name)
    }

    private func file(_ context: AdminRequestContext) -> String { context.parameters.get("file") ?? "" }

    private static func gone(_ model: AdminModel) -> PageError {
        PageError(
            status: .notFound, title: localized("This file is no longer available"),
            text: localized(
                "The file was already imported, is older than an hour, or was replaced by newer files. Nothing was changed."
            ),
            backTitle: localized("Upload again"), backPath: model.paths.importing
        )
    }

    private static func unwritable(_ model: AdminModel) -> PageError {
        PageError(
            status: .init(code: 507, reasonPhrase: "Insufficient Storage"), title: localized("The file can’t be saved"),
            text: localized("Nothing was saved. Ask the administrator to check the disk."),
            backTitle: localized("Show all \(model.schema.pluralName)"), backPath: model.paths.list
        )
    }

    private static func busy(_ model: AdminModel, with job: ImportJob?) -> PageError {
        PageError(
            status: .conflict, title: localized("Another import is running"),
            text: localized("Nothing was started. Try again when the other task has finished."),
            backTitle: localized("Show progress"),
            backPath: job.map { model.paths.importing($0.file) } ?? model.paths.importing
        )
    }

    private func page(
        _ view: some Component, _ model: AdminModel, _ context: AdminRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        pages.page(
            title: ImportStartView.title(model.schema), at: .model(model.schema.name), principal: try context.principal,
            csrf: site.tokens.token(for: context.session), status: status
        ) { $0.render(view) }
    }
}
