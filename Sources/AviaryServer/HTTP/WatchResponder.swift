import HTTPTypes
import Hummingbird

/// What is served on the port for whoever watches the server: health, readiness and metrics, and nothing else. Loopback
/// only, so it asks for no token. It answers under addresses and the server's own names: a web page whose name somebody
/// points to this machine is another's.
struct WatchResponder: HTTPResponder {
    typealias Context = AdminRequestContext

    let routes: HealthRoutes
    /// Beside addresses and localhost.
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
