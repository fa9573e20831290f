import AviaryDesign
import AviaryDomain
import AviaryHTTP
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The whole admin as one responder: the pages that are kept, the middlewares from the outermost to the innermost, then
/// the routes.
struct AdminResponder: HTTPResponder {
    private let requestIDs = RequestIDMiddleware()
    private let metrics: MetricsMiddleware
    private let pages: PageCache
    private let router: RouterResponder<AdminRequestContext>

    func respond(to request: Request, context: AdminRequestContext) async throws -> Response {
        try await requestIDs.handle(request, context: context) { request, context in
            try await metrics.handle(request, context: context) { request, context in
                try await pages.response(to: request, context: context) { context in
                    try await router.respond(to: request, context: context)
                }
            }
        }
    }

    init(
        name: String, container: DependencyContainer, routes: CustomRoutes, host: String, port: Int,
        languages: [Language], timeZone: TimeZone? = nil, settings: AddressSettings,
        sessionLimits: SessionLimits = SessionLimits(),
        isDemo: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let site = AdminSite(
            name: name, container: container, cookieNames: CookieNames(port: port, settings: settings),
            languages: languages, sessionLimits: sessionLimits,
            publicURL: settings.publicURL, isDemo: isDemo, now: now
        )
        let allowedHosts = AllowedHosts(host: host, port: port, settings: settings)
        let all = SiteRoutes(site: site, own: routes)
        // The middlewares exist before the routes, so another router supplies the list of routes.
        let router = Router(context: AdminRequestContext.self, options: .autoGenerateHeadEndpoints)
        let clients = ClientAddresses(trustedProxies: settings.trustedProxies)
        metrics = MetricsMiddleware(metrics: ProcessMetrics.http, accessLog: Logger.access, clients: clients)
        pages = PageCache(container.commits, tokens: site.tokens, now: now)
        // The application decides about its own answers itself.
        router.middlewares.add(CompressionMiddleware(isExempt: { RoutePath.isCustom($0) }))
        router.middlewares.add(SecurityHeadersMiddleware(isSecure: settings.isSecure))
        // Errors from here on are shown in the browser's language.
        if languages.contains(where: { !$0.isPlainEnglish }) {
            router.middlewares.add(LanguageMiddleware(choice: site.language))
        }
        if let timeZone { router.middlewares.add(TimeZoneMiddleware(zone: timeZone)) }
        router.middlewares.add(AdmissionMiddleware(admission: RequestAdmission(), pages: all.pages))
        router.middlewares.add(ErrorMiddleware(pages: all.pages))
        router.middlewares.add(HostMiddleware(allowedHosts: allowedHosts))
        router.middlewares.add(MethodMiddleware(paths: PathMethods(all.plan)))
        router.middlewares.add(
            SessionMiddleware(
                cookies: site.sessions, accounts: container.accounts,
                known: CommitCache(container.commits, limit: KnownSession.limit), clients: clients,
                limits: sessionLimits, now: now
            ))
        // A second error middleware: from here on the person is known, so errors are shown with the navigation.
        let refusals = RejectionLog(slugs: Set(container.models.map(\.schema.slug)), now: now) { event, count in
            try await container.accounts.note(event, count: count)
        }
        router.middlewares.add(ErrorMiddleware(pages: all.pages, refusals: refusals, tokens: site.tokens))
        router.middlewares.add(FormMiddleware(site: site, allowedHosts: allowedHosts))
        router.middlewares.add(AccessMiddleware(openRoutes: routes.openRoutes, tokens: site.tokens))
        all.add(to: router)
        self.router = router.buildResponder()
    }
}

/// The responder of the port for monitoring: it serves health, readiness and metrics, and nothing else.
///
/// The port is on loopback only, so it requires no token. It answers under addresses and the server's own names
/// only: a web page could point another name to this machine.
struct MonitoringResponder: HTTPResponder {
    typealias Context = AdminRequestContext

    let routes: HealthRoutes
    /// The names under which it answers, besides addresses and localhost.
    let names: Set<String>

    func respond(to request: Request, context: Context) async throws -> Response {
        var response = await answer(to: request)
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    private func answer(to request: Request) async -> Response {
        guard let authority = request.head.authority.flatMap({ Authority($0) }),
            authority.isAddress || authority.isLoopback || names.contains(authority.host)
        else { return .text("This is not served under that name.\n", status: .misdirectedRequest) }
        guard request.method == .get || request.method == .head else {
            return .text("only GET and HEAD\n", status: .methodNotAllowed)
        }
        return switch request.uri.path {
        case "/healthz": routes.health()
        case "/readyz": await routes.readiness()
        case "/metrics": await routes.metrics()
        default: .text("There are /metrics, /healthz and /readyz.\n", status: .notFound)
        }
    }
}
