import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the query and, for every request that may change something, the form, and refuses a form that did not come
/// from a page of this session. No route sees a form that has not passed here.
struct FormMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let site: AdminSite
    let allowedHosts: AllowedHosts
    var bodies = BodyIntake()

    private static let largestForm = 2 * 1024 * 1024
    /// From which on a form is not worked on beside other connections.
    private static let longForm = 64 * 1024
    /// Of whoever is not signed in: enough for a name and a password.
    private static let largestOfStrangers = 16 * 1024
    /// Of a sheet whose session was ended elsewhere: its text is shown again, to be sent once more.
    private static let largestLostSheet = 256 * 1024

    private var tokens: CSRFTokens { site.tokens }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let query = request.uri.query {
            do {
                context.query = try FormEncoding.decode(query.utf8)
            } catch {
                throw RequestRefusal.unreadableAddress().leading(to: list(of: context))
            }
            // What an application's own pages take twice is theirs to say.
            if let name = context.query.repeatedName, !RoutePath.isOwn(request.uri.path) {
                throw RequestRefusal.ambiguousAddress(name).leading(to: list(of: context))
            }
        }
        if request.method != .get, request.method != .head {
            guard isSameOrigin(request) else { throw RequestRefusal.forbidden }
            let isForm = !RoutePath.isOwn(request.uri.path) || request.isSentByForms
            let isUpload = isForm && FormUpload.routes.contains(context.route) && FormUpload.isMultipart(request)
            // Nothing is read of a stranger's file.
            if isUpload, context.session.principal == nil { return .signInNeeded(for: request, returningTo: nil) }
            let arriving = ArrivingBody(context, in: bodies)
            defer { arriving.leave() }
            if isUpload {
                let upload = try FormUpload(request, arriving)
                // The token stands before the file, of which nothing is taken without it.
                context.form = try await upload.fields()
                context.upload = upload
            } else if isForm {
                context.form = try await form(of: request, context, arriving)
            } else {
                context.body = try await body(of: request, upTo: Self.largestForm, arriving)
            }
            if isForm {
                guard let token = context.form.value("csrf"), tokens.isValid(token, for: context.session) else {
                    throw tokens.refusal(request, context)
                }
            }
            // A long form is looked at, stored and shown again for long.
            guard context.form.size > Self.longForm else { return try await next(request, context) }
            return try await awayFromEventLoop { [context] in try await next(request, context) }
        }
        return try await next(request, context)
    }

    /// The list that the address is about, for whoever may see it: nobody else is told that there is one.
    private func list(of context: Context) -> AdminModel? {
        // An address of no list leads to the overview.
        guard let slug = context.parameters.get("model"), let model = try? site.model(slug),
            context.session.principal?.may(.view, model.schema.name) == true
        else { return nil }
        return model
    }

    /// Browsers say where a request comes from; other programs say nothing and need the token all the same.
    private func isSameOrigin(_ request: Request) -> Bool {
        if let site = request.fetchSite {
            return site == "same-origin" || site == "none"
        }
        if let origin = request.headers[.origin] {
            return allowedHosts.contains(origin: origin)
        }
        return true
    }

    private func form(
        of request: Request, _ context: Context, _ arriving: ArrivingBody
    ) async throws -> [FormField] {
        guard request.mediaType == "application/x-www-form-urlencoded" else { throw RequestRefusal.malformedForm }
        let body = try await body(of: request, upTo: limit(of: request, context), arriving)
        do {
            guard body.readableBytes > Self.longForm else { return try FormEncoding.decode(body.readableBytesView) }
            return try await awayFromEventLoop { try FormEncoding.decode(body.readableBytesView) }
        } catch {
            throw RequestRefusal.malformedForm
        }
    }

    /// How long a form may be, by who sends it and where to.
    private func limit(of request: Request, _ context: Context) -> Int {
        if case .stranger = context.sender, !RoutePath.isOwn(request.uri.path) {
            return AccessMiddleware.draftPaths.contains(context.route)
                ? Self.largestLostSheet : Self.largestOfStrangers
        }
        return Self.largestForm
    }

    /// The whole body. The request has its place among those that are worked on again when it is there.
    private func body(of request: Request, upTo limit: Int, _ arriving: ArrivingBody) async throws -> ByteBuffer {
        let tooLarge = limit < Self.largestForm ? RequestRefusal.tooLargeForStranger : .tooLarge
        // What says itself that it is too large is not read first.
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        var body = ByteBuffer()
        for try await var part in request.body {
            guard body.readableBytes + part.readableBytes <= limit else { throw tooLarge }
            try arriving.receive(part.readableBytes, isKept: true)
            if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
        }
        try arriving.complete()
        return body
    }
}

extension [FormField] {
    fileprivate var size: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}

extension Request {
    /// Whether a page of another site could make a browser send it without asking this server first: everything else is
    /// preceded by a preflight (Fetch, section 3.3.5), which gets no consent here.
    fileprivate var isSentByForms: Bool {
        method == .post && mediaType != "application/json"
    }

    /// What the body is said to be, without parameters, in small letters.
    fileprivate var mediaType: String {
        var type = (headers[.contentType] ?? "").prefix { $0 != ";" }.drop(while: \.isWhitespace)
        while type.last?.isWhitespace == true { type.removeLast() }
        return type.lowercased()
    }
}
