import AviaryDomain
import AviaryHTTP
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A middleware that reads the query and, for every request that may change something, the form.
///
/// It rejects a form that does not come from a page of this session. Routes only see forms that it has accepted.
struct FormMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let site: AdminSite
    let allowedHosts: AllowedHosts
    var bodies = BodyIntake()

    /// The routes that accept a file. All other routes read a small form as a whole.
    private static let uploadRoutes: Set<String> = ["/admin/backups/upload", "/admin/{model}/import"]
    /// The paths of the routes that accept a file, on which connections accept large bodies.
    static let uploadPaths = uploadRoutes.map { UploadPath($0) }

    private static let largestForm = 2 * 1024 * 1024
    /// The size in bytes beyond which a form is not processed on the event loop.
    private static let longForm = 64 * 1024
    /// The size in bytes of the largest form of a person who is not signed in.
    ///
    /// It is enough for a name and a password.
    private static let largestOfStrangers = 16 * 1024
    /// The size in bytes of the largest sheet whose session was ended elsewhere.
    ///
    /// Its text is shown again, to be sent once more.
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
                throw PageError.unreadableAddress().leading(to: list(of: context))
            }
            // An application's own pages may accept repeated fields.
            if let name = context.query.repeatedName, !RoutePath.isCustom(request.uri.path) {
                throw PageError.ambiguousAddress(name).leading(to: list(of: context))
            }
        }
        if request.method != .get, request.method != .head {
            guard isSameOrigin(request) else { throw PageError.forbidden }
            let isForm = !RoutePath.isCustom(request.uri.path) || request.isSentByForms
            let isUpload = isForm && Self.uploadRoutes.contains(context.route) && FormUpload.isMultipart(request)
            // The server reads no file of an anonymous client.
            if isUpload, context.session.principal == nil { return .signInNeeded(for: request, returningTo: nil) }
            let arriving = ArrivingBody(
                of: context.sender, admission: context.admission, in: bodies, end: context.endBody)
            defer { arriving.leave() }
            if isUpload {
                // The token precedes the file. Without a valid token nothing of the file is read.
                (context.upload, context.form) = try await upload(of: request, arriving)
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
            // Validating, storing and rendering a long form takes long.
            guard context.form.size > Self.longForm else { return try await next(request, context) }
            return try await offloadFromEventLoop { [context] in try await next(request, context) }
        }
        return try await next(request, context)
    }

    /// Returns the list that the address belongs to, if the person may see it.
    ///
    /// Others must not learn that it exists.
    private func list(of context: Context) -> AdminModel? {
        // An address without a list leads to the overview.
        guard let slug = context.parameters.get("model"), let model = try? site.model(slug),
            context.session.principal?.may(.view, model.schema.name) == true
        else { return nil }
        return model
    }

    /// Returns whether the request comes from a page of this server.
    ///
    /// Browsers state the origin of a request. Other programs do not, and need the token in any case.
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
        guard request.mediaType == "application/x-www-form-urlencoded" else { throw PageError.malformedForm }
        let body = try await body(of: request, upTo: limit(of: request, context), arriving)
        do {
            guard body.readableBytes > Self.longForm else { return try FormEncoding.decode(body.readableBytesView) }
            return try await offloadFromEventLoop { try FormEncoding.decode(body.readableBytesView) }
        } catch {
            throw PageError.malformedForm
        }
    }

    /// Returns the form with a file, and its fields before the file.
    private func upload(
        of request: Request, _ arriving: ArrivingBody
    ) async throws(PageError) -> (FormUpload, [FormField]) {
        do {
            let upload = try FormUpload(request, arriving)
            return (upload, try await upload.fields().map { FormField(name: $0.name, value: $0.value) })
        } catch {
            throw PageError(error)
        }
    }

    /// Returns the size of the longest form, which depends on the sender and the route.
    private func limit(of request: Request, _ context: Context) -> Int {
        if case .stranger = context.sender, !RoutePath.isCustom(request.uri.path) {
            return AccessMiddleware.draftPaths.contains(context.route)
                ? Self.largestLostSheet : Self.largestOfStrangers
        }
        return Self.largestForm
    }

    /// Reads the whole body.
    ///
    /// When the body is complete, the request takes its place among the admitted requests again.
    private func body(of request: Request, upTo limit: Int, _ arriving: ArrivingBody) async throws -> ByteBuffer {
        let tooLarge = limit < Self.largestForm ? PageError.tooLargeForStranger : .tooLarge
        // A body whose declared length is too large is not read.
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        var body = ByteBuffer()
        for try await var part in request.body {
            guard body.readableBytes + part.readableBytes <= limit else { throw tooLarge }
            do {
                try arriving.receive(part.readableBytes, isKept: true)
            } catch {
                throw PageError.busy
            }
            if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
        }
        do {
            try arriving.complete()
        } catch {
            throw PageError.busy
        }
        return body
    }
}

extension PageError {
    init(_ error: FormUploadError) {
        self =
            switch error {
            case .malformed: .malformedForm
            case .crowded: .busy
            }
    }
}

extension FormUpload {
    /// Returns the file's next bytes, or nil at its end if the form was complete.
    ///
    /// - Throws: ``PageError/malformedForm`` or ``PageError/busy``.
    func nextPart() async throws(PageError) -> [UInt8]? {
        do {
            return try await next()
        } catch {
            throw PageError(error)
        }
    }
}

extension [FormField] {
    fileprivate var size: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}

extension Request {
    /// Indicates whether a page of another site could make a browser send the request without asking this server
    /// first.
    ///
    /// All other requests need a preflight (Fetch, section 3.3.5), which this server does not grant.
    fileprivate var isSentByForms: Bool {
        method == .post && mediaType != "application/json"
    }

    /// The media type of the body, in lower case and without parameters.
    fileprivate var mediaType: String {
        var type = (headers[.contentType] ?? "").prefix { $0 != ";" }.drop(while: \.isWhitespace)
        while type.last?.isWhitespace == true { type.removeLast() }
        return type.lowercased()
    }
}
