import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The application's own routes, validated.
struct CustomRoutes: Sendable {
    let routes: [Route]

    /// Validates the routes.
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - models: The names of the models that the admin shows; nil to accept any name.
    /// - Throws: ``RouteError`` for a path that is malformed, belongs to the admin, or is used twice; for an item of the
    ///   navigation that cannot lead to its route; for an access that names an unknown model.
    init(_ routes: [Route], models: Set<String>? = nil) throws(RouteError) {
        var taken: Set<String> = []
        for route in routes {
            let path = try RoutePath(route.path)
            if route.item != nil {
                guard route.method == .get else {
                    throw RouteError(
                        path: route.path,
                        "is for \(route.method.rawValue) and has an item in the navigation. Give it to a route for GET."
                    )
                }
                guard !path.hasParameters else {
                    throw RouteError(
                        path: route.path,
                        "has a parameter and an item in the navigation. Give the item to a route without parameters.")
                }
            }
            if case .permission(_, let model) = route.access, models?.contains(model) == false {
                throw RouteError(
                    path: route.path,
                    "requires a permission on \(model), which the admin does not show. Register it with ModelAdmin(\(model).self)."
                )
            }
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

    /// The routes with an item in the navigation, in its order: those without a group, then group after group.
    var navigation: [Route] {
        let shown = routes.filter { $0.item != nil }
        var groups: [String?] = [nil]
        for route in shown where !groups.contains(route.item?.group) { groups.append(route.item?.group) }
        return groups.flatMap { group in shown.filter { $0.item?.group == group } }
    }

    func add(to router: Router<AdminRequestContext>, site: AdminSite, pages: AdminPages) {
        for route in routes {
            router.on(RouterPath(route.path), method: route.method.httpMethod) { request, context in
                if route.access != .everyone, !route.access.permits(try context.principal) {
                    throw AccessError.forbidden
                }
                let store = site.container.store(for: context.session.principal?.name ?? "anonymous")
                let asked = try await Self.request(
                    route, request, context, tokens: site.tokens, store: store, schema: site.schema)
                do {
                    let answer = try await route.handler(asked)
                    guard let page = answer.page else { return Response(answer, logger: context.logger) }
                    return try await Self.show(
                        page, of: answer, request, context, csrf: asked.csrfToken, site: site, pages: pages)
                } catch let refusal as RouteHTTPError {
                    guard request.wantsPage, (400...599).contains(refusal.status) else {
                        return Response(
                            RouteResponse.text(refusal.message + "\n", status: refusal.status),
                            logger: context.logger)
                    }
                    let status = HTTPResponse.Status(code: refusal.status)
                    return pages.error(
                        PageError(own: status, text: refusal.message), for: context.session.principal, reference: nil)
                } catch let error as StoreError {
                    let (status, retryAfter) = error.answer
                    var page = PageError(error, in: site.schema)
                    if route.method != .get, routes.contains(where: { $0.method == .get && $0.path == route.path }) {
                        (page.backTitle, page.backPath) = (localized("Go back"), request.uri.path)
                    }
                    var response =
                        request.wantsPage
                        ? pages.error(page, for: context.session.principal, reference: nil)
                        : Response.text(error.description + "\n", status: status)
                    if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
                    return response
                }
            }
        }
    }

    /// Returns a page in the frame of the admin, or in a frame without navigation for a person who is not signed in.
    private static func show(
        _ page: RouteResponse.Page, of answer: RouteResponse, _ request: Request, _ context: AdminRequestContext,
        csrf: String, site: AdminSite, pages: AdminPages
    ) async throws -> Response {
        var fields = HTTPFields()
        guard let status = answer.checked(into: &fields, logger: context.logger) else { return .notAnAnswer }
        let view = OwnPageView(title: page.title, content: page.content, csrf: csrf)
        var response: Response
        if let principal = context.session.principal {
            let path = request.uri.path
            response = pages.page(
                title: page.title, at: .own(path), principal: principal, csrf: csrf, status: status,
                notices: try await FlashMessage(site: site).notices(context, back: path)
            ) { $0.render(view) }
        } else {
            response = pages.alone(title: page.title, status: status, isWide: true) { $0.render(view) }
        }
        for field in fields { response.headers[field.name] = field.value }
        return response
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
            language: Language.currentCode, principal: context.session.principal, schema: schema,
            parameters: parameters,
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

/// The content of an own page, below its title.
private struct OwnPageView: Component {
    let title: String
    let content: PageContent
    let csrf: String

    func render(into html: inout HTML) {
        html.render(ListHeader(title: title, count: nil, addTitle: "", addHref: nil))
        var context = PageContext(csrf: csrf)
        html.element("div", .class("content")) { content.render(into: &$0, in: &context) }
    }
}

extension PageError {
    /// Creates the page of an error of an own route, with a title that fits its status.
    fileprivate init(own status: HTTPResponse.Status, text: String) {
        let title =
            switch status.code {
            case 403: PageError.notPermitted.title
            case 404: PageError.notFound.title
            case 500...: PageError.internalError.title
            default: localized("This request can’t be processed")
            }
        self.init(status: status, title: title, text: text)
    }
}

extension RouteResponse {
    /// The fields that the server has for itself.
    private static let reserved: Set<String> = [
        "access-control-allow-credentials", "connection", "content-encoding", "content-length",
        "content-security-policy", "content-type", "cross-origin-opener-policy", "cross-origin-resource-policy", "date",
        "keep-alive", "location", "permissions-policy", "proxy-connection", "referrer-policy", "set-cookie",
        "strict-transport-security", "te", "trailer", "transfer-encoding", "upgrade", "x-content-type-options",
        "x-frame-options", "x-request-id",
    ]

    /// Returns the status, and adds the response's own fields to others.
    ///
    /// - Returns: The status; nil for a response that cannot be sent, whose reason is in the log.
    fileprivate func checked(into fields: inout HTTPFields, logger: Logger) -> HTTPResponse.Status? {
        guard let reason = problem else {
            for (name, value) in headers {
                if let name = HTTPField.Name(name) { fields[name] = value }
            }
            return HTTPResponse.Status(code: status)
        }
        logger.error("a route's response cannot be sent", metadata: ["reason": "\(reason)"])
        return nil
    }

    /// The reason for which the response cannot be sent; nil for one that can. It contains nothing of a request.
    private var problem: String? {
        guard (200...599).contains(status) else { return "its status is not from 200 to 599" }
        guard location.map(Response.staysHere) ?? true else { return "it redirects to another server" }
        for (name, value) in headers {
            guard HTTPField.Name(name) != nil else { return "the name of a header field is malformed" }
            guard !Self.reserved.contains(name.lowercased()) else { return "the server itself writes \(name)" }
            guard HTTPField.isValidValue(value) else { return "the value of \(name) is malformed" }
        }
        return nil
    }
}

extension Request {
    /// Indicates whether a person reads the answer in a browser.
    fileprivate var wantsPage: Bool { headers[.accept]?.contains("text/html") == true && !isFetch }
}

extension Response {
    fileprivate init(_ answer: RouteResponse, logger: Logger) {
        var headers = HTTPFields()
        guard let status = answer.checked(into: &headers, logger: logger) else {
            self = .notAnAnswer
            return
        }
        headers[.contentType] = answer.contentType
        headers[.location] = answer.location
        self.init(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    fileprivate static var notAnAnswer: Response {
        .text("The route returned an invalid response.\n", status: .internalServerError)
    }

    /// Returns whether the path stays on this server. `//host` and `/\host` lead to another one.
    fileprivate static func staysHere(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/") else { return false }
        guard bytes.count > 1 else { return true }
        return bytes[1] != UInt8(ascii: "/") && bytes[1] != UInt8(ascii: "\\")
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
