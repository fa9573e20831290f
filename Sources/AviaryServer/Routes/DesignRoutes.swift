import AviaryDesign
import AviaryDomain
import Hummingbird

/// Every component on one page, where sample data is served: for those who work on them, and for tests.
struct DesignRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let assets: AssetRoutes

    private static let address = ModelPaths.admin + "/design"

    func add(to router: Router<AdminRequestContext>) {
        let (site, pages, stylesheet) = (site, pages, assets.path("gallery.css"))
        router.get("/admin/design") { request, context in
            // What runs for real has nobody who would look at it.
            guard site.isDemo else { throw RequestRefusal.notFound }
            let csrf = site.tokens.token(for: context.session)
            let gallery = Gallery(address: Self.address, stylesheet: stylesheet, csrf: csrf)
            let isSheetAsked = request.uri.query == Gallery.sheetQuery
            return await pages.page(
                title: Gallery.title, at: .design, principal: try context.principal, csrf: csrf,
                sheet: isSheetAsked ? { $0.render(gallery.sheet) } : nil
            ) { $0.render(gallery) }
        }
    }
}
