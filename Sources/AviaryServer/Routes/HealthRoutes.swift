import AviaryDomain
import Hummingbird

/// For whoever watches the process.
struct HealthRoutes: Sendable {
    let container: DependencyContainer

    func add(to router: Router<AdminRequestContext>) {
        router.get("/healthz") { _, _ in Response.text("ok\n") }
        router.get("/readyz") { [container] _, _ in
            await container.isStoreAnswering()
                ? Response.text("ready\n") : Response.text("the store does not answer\n", status: .serviceUnavailable)
        }
    }
}
