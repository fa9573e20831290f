import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The application's own routes, validated.
struct CustomRoutes: Sendable {
    let routes: [Route]

    /// Validates the routes.
    ///
    /// - Throws: ``RouteError`` for a path that is malformed, belongs to the admin, or is used twice.
    init(_ routes: [Route]) throws(RouteError) {
        var taken: Set<String> = []
        for route in routes {
            let path = try RoutePath(route.path)
            guard taken.insert("\(route.method.rawValue) \(path.shape)").inserted else {
                throw RouteError(path: route.path, "is there twice for \(route.method.rawValue). Keep one of them.")
            }
        }
        self.routes = routes
    }

    /// The routes that are open to everyone, as method and path.
    var openRoutes: Set<String> {
        Set(routes.filter { $0.access == .everyone }.map { "\($0.method.rawValue) \($0.path)" })
    }

    func add(to router: Router<AdminRequestContext>, tokens: CSRFTokens, container: DependencyContainer) {
        for route in routes {
            router.on(RouterPath(route.path), method: route.method.httpMethod) { request, context in
                if case .roles(let roles) = route.access, !roles.contains(try context.principal.role.name) {
                    throw AccessError.forbidden
                }
                let store = container.store(for: context.session.principal?.name ?? "anonymous")
                let asked = try await Self.request(
                    route, request, context, tokens: tokens, store: store, schema: container.schema)
                do {
                    return Response(try await route.handler(asked))
                } catch let refusal as RouteHTTPError {
                    return Response(RouteResponse.text(refusal.message + "\n", status: refusal.status))
                } catch let error as StoreError {
                    return Response(error)
                }
            }
        }
    }

    private static func request(
        _ route: Route, _ request: Request, _ context: AdminRequestContext, tokens: CSRFTokens, store: AviaryStore,
        schema: Schema
    ) async throws -> RouteRequest {
        var parameters: [String: String] = [:]
        for (name, value) in context.parameters {
            guard let value = String(value).removingPercentEncoding else { throw PageError.notFound }
            parameters[String(name)] = value
        }
        return RouteRequest(
            method: route.method, path: request.uri.path, user: context.session.principal?.name,
            role: context.session.principal?.role.name, store: store,
            csrfToken: tokens.token(for: context.session), body: Array(context.body.readableBytesView),
            principal: context.session.principal, schema: schema, parameters: parameters,
            query: context.query, form: context.form
        )
    }
}

extension Route.Method {
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        }
    }
}

extension Response {
    fileprivate init(_ answer: RouteResponse) {
        guard (200...599).contains(answer.status), answer.location.map(Self.staysHere) ?? true else {
            self = .text("This answer is not one.\n", status: .internalServerError)
            return
        }
        var headers = HTTPFields()
        headers[.contentType] = answer.contentType
        headers[.location] = answer.location
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }

    /// Creates a response with the status that the admin uses for the error, and a sentence.
    fileprivate init(_ error: StoreError) {
        let (status, retryAfter): (Int, Int?) =
            switch error.reason {
            case .invalid, .malformed, .missingReference, .relatedCount: (422, nil)
            case .notFound: (404, nil)
            case .notUnique, .notUniqueTogether, .conflict, .deleteDenied, .needsConfirmation, .alreadySaved,
                .alreadyDiscarded, .undoRefused:
                (409, nil)
            case .busy(let seconds): (503, seconds)
            case .unavailable, .unanswered: (503, 2)
            case .outOfSpace: (507, nil)
            case .damaged: (500, nil)
            }
        self = .text(error.description + "\n", status: HTTPResponse.Status(code: status))
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
    }

    /// Returns whether the path stays on this server. `//host` and `/\host` lead to another one.
    private static func staysHere(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/") else { return false }
        guard bytes.count > 1 else { return true }
        return bytes[1] != UInt8(ascii: "/") && bytes[1] != UInt8(ascii: "\\")
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
