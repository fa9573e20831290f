import AviaryDomain
import AviaryMetrics
import HTTPTypes
import Hummingbird

/// For whoever watches the process.
struct HealthRoutes: Sendable {
    /// Those who ask have no session and get none.
    static let paths: Set<String> = ["/healthz", "/readyz", "/metrics"]

    let container: DependencyContainer
    let page: MetricsPage
    /// What `/metrics` asks for; nil where it is not served.
    var token: MetricsToken?

    init(application: String, container: DependencyContainer, token: MetricsToken? = nil) {
        self.container = container
        self.token = token
        page = MetricsPage(application: application, container: container)
    }

    func add(to router: Router<AdminRequestContext>) {
        router.get("/healthz") { _, _ in health() }
        router.get("/readyz") { _, _ in await readiness() }
        guard let token else { return }
        router.get("/metrics") { request, _ in
            // Without the token it is as if there were nothing.
            guard token.permits(request) else { throw RequestRefusal.notFound }
            return await metrics()
        }
    }

    func health() -> Response { .text("ok\n") }

    func readiness() async -> Response {
        await container.isStoreAnswering()
            ? .text("ready\n") : .text("the store does not answer\n", status: .serviceUnavailable)
    }

    func metrics() async -> Response {
        var response = Response.text(await page.text())
        response.headers[.contentType] = PrometheusText.contentType
        return response
    }
}
