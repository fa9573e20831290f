import AviaryDomain
import Hummingbird

/// For whoever watches the process.
struct HealthRoutes: Sendable {
    let container: DependencyContainer

    func add(to router: Router<AdminRequestContext>) {
        router.get("/healthz") { _, _ in Response.text("ok\n") }
        router.get("/readyz") { [container] _, _ in
            do {
                for model in container.models.prefix(1) { _ = try await model.repository.count() }
                return Response.text("ready\n")
            } catch {
                return Response.text("the store does not answer\n", status: .serviceUnavailable)
            }
        }
    }
}
