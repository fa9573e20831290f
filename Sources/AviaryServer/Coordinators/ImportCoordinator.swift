import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import ImportFeature

/// Leads from a file of records to the records: the file is brought, looked at, and then imported by a form of its own.
struct ImportCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    private var files: any ImportFiles { site.container.importFiles }

    /// Where a file is brought.
    func start(_ model: AdminModel, context: AdminRequestContext, error: String? = nil) async throws -> Response {
        try ImportViewModel.check(try context.principal, model.schema)
        let view = ImportStartView(
            schema: model.schema, csrf: site.tokens.token(for: context.session), error: error, sizeLimit: DependencyContainer.importFileLimit
        )
        return try await page(view, model, context, status: error == nil ? .ok : .unprocessableContent)
    }

    /// Keeps the file, and goes on to what it looks like.
    func upload(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        let principal = try context.principal
        try ImportViewModel.check(principal, model.schema)
        guard let upload = context.upload else { throw RequestRefusal.malformedForm }
        do {
            let id = try await files.keep(by: owner(principal), for: model.schema.name) { try await upload.next() }
            return .seeOther(model.paths.importing(id))
        } catch ImportFileError.empty {
            return try await start(model, context: context, error: localized("There is nothing in it. Choose a file."))
        } catch ImportFileError.tooLarge(let limit) {
            return try await start(
                model, context: context, error: localized("This file is larger than \(limit >> 20) MiB. The command import takes it.")
            )
        } catch ImportFileError.tooMany {
            return try await start(model, context: context, error: localized("You brought others that were not imported yet. They go after an hour."))
        } catch ImportFileError.unwritable {
            throw RequestRefusal(
                status: .init(code: 507, reasonPhrase: "Insufficient Storage"), title: localized("The file cannot be kept"),
                text: localized("Nothing was stored. Whoever runs this server finds the reason in its disk."),
                backTitle: localized("Show all \(model.schema.pluralName)"), backPath: model.paths.list
            )
        }
    }

    /// What the file looks like, and what would come of it.
    func show(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        let source = try await source(model, context)
        return try await preview(source, form: nil, model, context)
    }

    /// Looks again with other choices, or imports it.
    func run(_ model: AdminModel, context: AdminRequestContext) async throws -> Response {
        let source = try await source(model, context)
        guard context.form.value("do") == "import" else { return try await preview(source, form: context.form, model, context) }
        let principal = try context.principal
        let (schema, id) = (model.schema, file(context))
        do {
            let report = try await ImportViewModel.run(
                source, form: context.form, for: schema, in: site.schema, principal: principal,
                lookUp: StoredRecords(container: site.container),
                taking: { await files.take(id, of: owner(principal), for: schema.name) },
                store: { try await site.container.submitImport($0) }
            )
            guard let report else { throw Self.gone(model) }
            return try await page(ImportReportView(schema: schema, models: site.schema, report: report), model, context)
        } catch let error as ImportError {
            let problem = if case .lines = error { localized("Nothing was imported: there are lines that are wrong.") } else { error.description }
            return try await preview(source, form: context.form, model, context, problem: problem, status: .unprocessableContent)
        } catch let error as ImportInterruption {
            let view = ImportReportView(schema: schema, models: site.schema, report: error.stored, reason: words(error.reason))
            return try await page(view, model, context, status: .serviceUnavailable)
        } catch let error as StoreError {
            // The first batch was not stored, and the file is gone with the attempt.
            let view = ImportReportView(schema: schema, models: site.schema, report: ImportReport(), reason: words(error))
            return try await page(view, model, context, status: .conflict)
        }
    }

    private func words(_ error: any Error) -> String {
        (error as? StoreError).map { "\($0)" } ?? error.redactedText
    }

    private func preview(
        _ source: any ImportSource, form: [FormField]?, _ model: AdminModel, _ context: AdminRequestContext, problem: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let principal = try context.principal
        do {
            let viewModel = try await ImportViewModel(
                source, form: form, for: model.schema, in: site.schema, principal: principal,
                lookUp: StoredRecords(container: site.container), problem: problem
            )
            let view = ImportPreviewView(model: viewModel, file: file(context), csrf: site.tokens.token(for: context.session))
            return try await page(view, model, context, status: status)
        } catch let error as ImportError {
            await files.discard(file(context), of: owner(principal), for: model.schema.name)
            return try await start(model, context: context, error: error.description)
        }
    }

    private func source(_ model: AdminModel, _ context: AdminRequestContext) async throws -> any ImportSource {
        let principal = try context.principal
        try ImportViewModel.check(principal, model.schema)
        guard let source = await files.file(file(context), of: owner(principal), for: model.schema.name) else { throw Self.gone(model) }
        return source
    }

    private func file(_ context: AdminRequestContext) -> String { context.parameters.get("file") ?? "" }

    private func owner(_ principal: Principal) -> String { principal.account.canonicalText }

    private static func gone(_ model: AdminModel) -> RequestRefusal {
        RequestRefusal(
            status: .notFound, title: localized("This file is not here any more"),
            text: localized("It was imported, or was brought more than an hour ago. Nothing was changed now."),
            backTitle: localized("Bring it again"), backPath: model.paths.importing
        )
    }

    private func page(
        _ view: some Component, _ model: AdminModel, _ context: AdminRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        await pages.page(
            title: ImportStartView.title(model.schema), at: .model(model.schema.name), principal: try context.principal,
            csrf: site.tokens.token(for: context.session), status: status
        ) { $0.render(view) }
    }
}
