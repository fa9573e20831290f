import ActivityFeature
import AviaryDomain
import AviaryMetrics
import HTTPTypes
import Hummingbird

/// All routes: the admin's, those of accounts, files and health, and the application's own.
struct SiteRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let assets: AssetRoutes
    let own: CustomRoutes

    init(site: AdminSite, own: CustomRoutes) {
        let assets = AssetRoutes()
        self.site = site
        self.own = own
        self.assets = assets
        pages = AdminPages(
            application: site.name, models: site.container.models, assets: assets.pageAssets, own: own.navigation,
            recordCounts: site.container.recordCounts)
    }

    func add(to router: Router<AdminRequestContext>) {
        AdminRoutes(site: site, pages: pages).add(to: router)
        AccountRoutes(site: site, pages: pages).add(to: router)
        ActivityRoutes(site: site, pages: pages).add(to: router)
        LanguageRoutes(choice: site.language).add(to: router)
        BackupRoutes(site: site, pages: pages).add(to: router)
        assets.add(to: router)
        HealthRoutes(application: site.name, container: site.container, token: .current).add(to: router)
        own.add(to: router, site: site, pages: pages)
    }

    /// A router with these routes only. It supplies the list of routes.
    var plan: Router<AdminRequestContext> {
        let plan = Router(context: AdminRequestContext.self)
        add(to: plan)
        return plan
    }
}

/// The routes for monitoring.
struct HealthRoutes: Sendable {
    /// The paths. Their requests have no session and get none.
    static let paths: Set<String> = ["/healthz", "/readyz", "/metrics"]

    let container: DependencyContainer
    let page: MetricsPage
    /// The token that `/metrics` requires; nil when it is not served.
    var token: MetricsToken?
    /// The state of the database, which a balancer may ask for several times a second.
    private let database: CachedValue<DatabaseState?>

    init(application: String, container: DependencyContainer, token: MetricsToken? = nil) {
        self.container = container
        self.token = token
        let database = CachedValue(for: .seconds(1)) { await container.databaseState() }
        self.database = database
        page = MetricsPage(application: application, container: container, database: database)
    }

    func add(to router: Router<AdminRequestContext>) {
        router.get("/healthz") { _, _ in health() }
        router.get("/readyz") { _, _ in await readiness() }
        guard let token else { return }
        router.get("/metrics") { request, _ in
            // Without the token, the response is the same as for a path that does not exist.
            guard token.permits(request) else { throw PageError.notFound }
            return await metrics()
        }
    }

    func health() -> Response { .text("ok\n") }

    func readiness() async -> Response {
        guard await container.isStoreAnswering() else {
            return .text("the store does not answer\n", status: .serviceUnavailable)
        }
        guard let database = await database.current() ?? nil, !database.takesChanges else { return .text("ready\n") }
        return .text(
            database.report == nil
                ? "the database does not answer\n" : "the database is a replica, which takes no changes\n",
            status: .serviceUnavailable)
    }

    func metrics() async -> Response {
        var response = Response.text(await page.text())
        response.headers[.contentType] = PrometheusText.contentType
        return response
    }
}
