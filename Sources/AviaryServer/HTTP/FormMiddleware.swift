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

    private static let largestForm = 2 * 1024 * 1024

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
            if !RoutePath.isOwn(request.uri.path) || request.isSentByForms {
                if FormUpload.routes.contains(context.route), FormUpload.isMultipart(request) {
                    let upload = try FormUpload(request)
                    // The token stands before the file, of which nothing is taken without it.
                    context.form = try await upload.fields()
                    context.upload = upload
                } else {
                    context.form = try await form(of: request)
                }
                guard let token = context.form.value("csrf"), tokens.isValid(token, for: context.session) else {
                    throw tokens.refusal(request, context)
                }
            }
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

    private func form(of request: Request) async throws -> [FormField] {
        guard request.mediaType == "application/x-www-form-urlencoded" else { throw RequestRefusal.malformedForm }
        // What says itself that it is too large is not read first.
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.largestForm {
            throw RequestRefusal.tooLarge
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.largestForm)
        } catch is NIOTooManyBytesError {
            throw RequestRefusal.tooLarge
        }
        do {
            return try FormEncoding.decode(body.readableBytesView)
        } catch {
            throw RequestRefusal.malformedForm
        }
    }
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
