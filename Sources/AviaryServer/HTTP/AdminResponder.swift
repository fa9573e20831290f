import AviaryDesign
import AviaryDomain
import Hummingbird
import Logging

/// The whole admin as one responder: middlewares outside in, then the routes.
enum AdminResponder {
    static func make(
        name: String, container: DependencyContainer, routes: OwnRoutes, host: String, port: Int,
        settings: AddressSettings
    ) -> RouterResponder<AdminRequestContext> {
        let cookieNames = CookieNames(port: port, settings: settings)
        let allowedHosts = AllowedHosts(host: host, port: port, settings: settings)
        let tokens = CSRFTokens(container.keys)
        let assets = AssetRoutes()
        let pages = AdminPages(application: name, models: container.models, assets: assets.pageAssets)
        let site = AdminSite(
            name: name, container: container, tokens: tokens,
            drafts: DraftCookies(names: cookieNames, keys: container.keys)
        )
        func addRoutes(to router: Router<AdminRequestContext>) {
            AdminRoutes(site: site, pages: pages).add(to: router)
            assets.add(to: router)
            HealthRoutes(application: name, container: container, token: .current).add(to: router)
            routes.add(to: router, tokens: tokens, store: container.store(for: Session.user))
        }
        // Middlewares are there before the routes, so which routes there are is asked of another router.
        let plan = Router(context: AdminRequestContext.self)
        addRoutes(to: plan)
        let router = Router(context: AdminRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.middlewares.add(RequestIDMiddleware())
        router.middlewares.add(MetricsMiddleware(
            metrics: ProcessMetrics.http, accessLog: Logger.access,
            clients: ClientAddresses(trustedProxies: settings.trustedProxies)
        ))
        router.middlewares.add(SecurityHeadersMiddleware(isSecure: settings.isSecure))
        router.middlewares.add(AdmissionMiddleware(admission: RequestAdmission(), pages: pages))
        router.middlewares.add(ErrorMiddleware(pages: pages))
        router.middlewares.add(HostMiddleware(allowedHosts: allowedHosts))
        router.middlewares.add(MethodMiddleware(paths: PathMethods(plan)))
        router.middlewares.add(SessionMiddleware(cookieNames: cookieNames))
        router.middlewares.add(FormMiddleware(tokens: tokens, allowedHosts: allowedHosts))
        addRoutes(to: router)
        return router.buildResponder()
    }
}
