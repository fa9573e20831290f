import AviaryDomain
import AviaryHTTP
import HTTPTypes
import Hummingbird
import Logging

/// A middleware that turns every error into a page that explains the error and links to another page.
///
/// The response never contains the error's own text. The log contains only texts without values of records or
/// forms.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let pages: AdminPages
    /// The log of refused actions; nil where the person is not yet known.
    var refusals: RejectionLog?
    /// The tokens of the button to sign out; nil where the person is not yet known.
    var tokens: CSRFTokens?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as PageError {
            if refusal.status.code >= 500, refusal.isLogged {
                context.logger.warning(
                    "a request was refused",
                    metadata: [
                        "route": "\(context.route)", "status": .stringConvertible(refusal.status.code),
                        "reason": "\(refusal.status.reasonPhrase)",
                    ])
            }
            return await answer(refusal, to: request, context: context)
        } catch let refusal as AccessError {
            return await answer(refusal == .hidden ? .notFound : .notPermitted, to: request, context: context)
        } catch let error as ConnectionError {
            // The gate has answered already. Rendering a page for each of hundreds of connections would be wasted.
            return .text(error.text + "\n", status: error.status)
        } catch let error as any HTTPResponseError {
            return await answer(Self.refusal(for: error.status), to: request, context: context)
        } catch is CancellationError {
            // The client has disconnected, so nobody reads the response.
            return await answer(.unreadable, to: request, context: context)
        } catch {
            context.logger.error(
                "a request failed",
                metadata: [
                    "route": "\(context.route)", "error": "\(error.redactedText)",
                ])
            return await answer(.internalError, to: request, context: context)
        }
    }

    private static func refusal(for status: HTTPResponse.Status) -> PageError {
        switch status {
        case .notFound: .notFound
        case .contentTooLarge: .tooLarge
        default:
            PageError(
                status: status, title: localized("This request can’t be processed"),
                text: localized("Nothing was changed."))
        }
    }

    private func answer(_ refusal: PageError, to request: Request, context: Context) async -> Response {
        if refusal.isRefusedAction, let principal = context.session.principal {
            refusals?.note(
                request.method.rawValue, context.route, model: context.parameters.get("model"), by: principal.name,
                from: context.clientName, logger: context.logger)
        }
        let reference = refusal.status.code >= 500 ? context.id : nil
        var response: Response
        if request.wantsJSON {
            var answer = ["error": refusal.text]
            answer["reference"] = reference
            response = .json(answer, status: refusal.status)
        } else if !refusal.isLogged, context.session.principal == nil {
            // Too many anonymous clients get no page, because rendering it would be most of the work.
            response = .text("\(refusal.title)\n\n\(refusal.text)\n", status: refusal.status)
        } else {
            response = await page(refusal, reference: reference, context: context)
        }
        if let seconds = refusal.retryAfter { response.headers[.retryAfter] = String(seconds) }
        if !refusal.allowed.isEmpty { response.headers[.allow] = refusal.allowed.joined(separator: ", ") }
        if refusal.endsConnection { response.headers[.connection] = "close" }
        return response
    }
}

extension ErrorMiddleware {
    /// Returns the page with the person's navigation. After an error of the server it reads nothing.
    private func page(_ refusal: PageError, reference: String?, context: Context) async -> Response {
        guard let principal = context.session.principal else {
            return pages.error(refusal, for: nil, reference: reference)
        }
        let counts = refusal.status.code < 500 ? pages.counts(for: principal) : [:]
        return pages.error(
            refusal, for: principal, reference: reference, csrf: tokens?.token(for: context.session), counts: counts)
    }
}

/// A middleware that reports to the client the id of the request in the log.
///
/// The id is always the server's own, because one from the client could be any text.
struct RequestIDMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    private static let field = HTTPField.Name("X-Request-Id")

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await Logger.$requestID.withValue(context.id) { try await next(request, context) }
        if let field = Self.field { response.headers[field] = context.id }
        return response
    }
}
