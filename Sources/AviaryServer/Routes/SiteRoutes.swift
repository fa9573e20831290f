import Hummingbird

/// Every route that there is: the admin's, those of accounts, of files and of health, and the application's own.
struct SiteRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let assets: AssetRoutes
    let own: OwnRoutes

    init(site: AdminSite, own: OwnRoutes) {
        let assets = AssetRoutes()
        self.site = site
        self.own = own
        self.assets = assets
        pages = AdminPages(application: site.name, models: site.container.models, assets: assets.pageAssets)
    }

    func add(to router: Router<AdminRequestContext>) {
        AdminRoutes(site: site, pages: pages).add(to: router)
        AccountRoutes(site: site, pages: pages).add(to: router)
        ActivityRoutes(site: site, pages: pages).add(to: router)
        LanguageRoutes(choice: site.language).add(to: router)
        BackupRoutes(site: site, pages: pages).add(to: router)
        DesignRoutes(site: site, pages: pages, assets: assets).add(to: router)
        assets.add(to: router)
        HealthRoutes(application: site.name, container: site.container, token: .current).add(to: router)
        own.add(to: router, tokens: site.tokens, container: site.container)
    }

    /// A router that has nothing but them: to be asked which there are.
    var plan: Router<AdminRequestContext> {
        let plan = Router(context: AdminRequestContext.self)
        add(to: plan)
        return plan
    }
}
