import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird

/// The admin's routes. Each reads the parameters and calls a coordinator.
struct AdminRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages

    private var lists: ListCoordinator { ListCoordinator(site: site, pages: pages) }
    private var editors: EditorCoordinator { EditorCoordinator(site: site, pages: pages, lists: lists) }
    private var batches: BatchCoordinator { BatchCoordinator(site: site, pages: pages, lists: lists) }
    private var deletions: DeletionCoordinator { DeletionCoordinator(site: site, pages: pages, lists: lists) }

    func add(to router: Router<AdminRequestContext>) {
        let (site, pages, lists, editors, deletions, batches) = (site, pages, lists, editors, deletions, batches)
        router.get("/") { _, _ in Response.seeOther(ModelPaths.admin) }
        router.get("/admin") { request, context in
            try await DashboardCoordinator(site: site, pages: pages).show(request, context: context)
        }
        router.get("/admin/:model") { request, context in
            try await lists.show(try site.model(context), request: request, context: context)
        }
        router.post("/admin/:model") { request, context in
            try await editors.save(try site.model(context), id: nil, request: request, context: context)
        }
        router.get("/admin/:model/new") { request, context in
            try await editors.add(try site.model(context), request: request, context: context)
        }
        router.get("/admin/:model/choices") { _, context in
            try await editors.choices(try site.model(context), context: context)
        }
        router.post("/admin/:model/draft") { request, context in
            try await editors.keep(try site.model(context), request: request, context: context)
        }
        router.post("/admin/:model/draft/discard") { request, context in
            try await editors.discard(try site.model(context), request: request, context: context)
        }
        router.post("/admin/:model/draft/reopen") { request, context in
            try await editors.reopen(try site.model(context), request: request, context: context)
        }
        router.get("/admin/:model/delete") { request, context in
            try await deletions.ask(try site.model(context), request: request, context: context)
        }
        router.post("/admin/:model/delete") { request, context in
            try await deletions.delete(try site.model(context), request: request, context: context)
        }
        router.get("/admin/:model/batch") { request, context in
            try await batches.show(try site.model(context), request: request, context: context)
        }
        router.post("/admin/:model/batch") { request, context in
            try await batches.run(try site.model(context), request: request, context: context)
        }
        router.post("/admin/:model/columns") { _, context in
            try await lists.chooseColumns(try site.model(context), context: context)
        }
        router.get("/admin/:model/export") { _, context in
            try await ExportCoordinator(site: site, lists: lists).export(try site.model(context), context: context)
        }
        let imports = ImportCoordinator(site: site, pages: pages)
        router.get("/admin/:model/import") { _, context in
            try await imports.start(try site.model(context), context: context)
        }
        router.post("/admin/:model/import") { _, context in
            try await imports.upload(try site.model(context), context: context)
        }
        router.get("/admin/:model/import/:file") { _, context in
            try await imports.show(try site.model(context), context: context)
        }
        router.post("/admin/:model/import/:file") { _, context in
            try await imports.run(try site.model(context), context: context)
        }
        router.get("/admin/:model/:id") { request, context in
            let model = try site.model(context)
            return try await editors.edit(
                model, id: try context.recordID(of: model), request: request, context: context)
        }
        router.post("/admin/:model/:id") { request, context in
            let model = try site.model(context)
            return try await editors.save(
                model, id: try context.recordID(of: model), request: request, context: context)
        }
    }
}

extension AdminSite {
    fileprivate func model(_ context: AdminRequestContext) throws -> AdminModel {
        let model = try model(context.parameters.get("model"))
        // This check comes first: no response may reveal that such a model exists.
        let asking: Principal? =
            switch context.session.state {
            case .signedIn(let principal), .ended(let principal): principal
            case .anonymous: nil
            }
        guard asking?.may(.view, model.schema.name) != false else { throw PageError.notFound }
        guard let asking else { return model }
        // The check covers the address as well: a filter, an order or a column of hidden data does not exist.
        return AdminModel(
            configuration: model.configuration.seen(by: asking), repository: model.repository, records: model.records)
    }
}

extension AdminRequestContext {
    fileprivate func recordID(of model: AdminModel) throws -> UUID {
        guard let text = parameters.get("id"), let id = UUID(canonicalText: text) else {
            throw PageError.noSuchRecord(
                model.schema.singularName, backTitle: localized("Show all \(model.schema.pluralName)"),
                backPath: model.paths.list
            )
        }
        return id
    }
}
