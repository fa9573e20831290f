import HTTPTypes
import Hummingbird

/// The methods that each of the server's paths supports.
struct PathMethods: Sendable {
    private struct Pattern {
        /// The segments of the path, with nil for a parameter.
        let segments: [Substring?]
        var methods: Set<String>

        func matches(_ path: [Substring]) -> Bool {
            path.count == segments.count && zip(segments, path).allSatisfy { $0 == nil || $0 == $1 }
        }

        var parameters: Int { segments.count { $0 == nil } }
    }

    /// The patterns, with the most specific first, in the router's order.
    private let patterns: [Pattern]

    init(_ router: Router<AdminRequestContext>) {
        var methods: [String: Set<String>] = [:]
        // The path of the metrics is hidden from everybody who may not see them.
        for route in router.routes where route.path.description != "/metrics" {
            methods[route.path.description, default: []].insert(route.method.rawValue)
        }
        patterns = methods.map { path, methods in
            Pattern(
                segments: Self.segments(path).map { $0.hasPrefix("{") ? nil : $0 },
                methods: methods.contains("GET") ? methods.union(["HEAD"]) : methods
            )
        }.sorted { $0.parameters < $1.parameters }
    }

    /// Returns the path's methods, sorted; empty when there is nothing at this path.
    func methods(of path: String) -> [String] {
        let path = Self.segments(path)
        return patterns.first { $0.matches(path) }?.methods.sorted() ?? []
    }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/")
    }
}

/// A middleware that rejects a method that the path does not support, before it reads the request's form.
struct MethodMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let paths: PathMethods

    /// The methods of RFC 9110, section 9.3, and PATCH.
    private static let known: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // The router has found a route.
        guard context.endpointPath == nil else { return try await next(request, context) }
        guard Self.known.contains(request.method) else { throw PageError.unknownMethod }
        // The request concerns the server as a whole (RFC 9110, section 9.3.7).
        if request.method == .options, request.head.path == "*" {
            return Response(status: .noContent, headers: [.allow: "GET, HEAD, POST"])
        }
        let allowed = paths.methods(of: request.uri.path)
        throw allowed.isEmpty ? PageError.notFound : .methodNotAllowed(allowed)
    }
}
