import HTTPTypes
import Hummingbird
import Logging

/// Turns every error into a page that says what happened and where to go on. Nothing of the error's own text gets out.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let pages: AdminPages

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as RequestRefusal {
            return answer(refusal, to: request, context: context)
        } catch let error as any HTTPResponseError {
            return answer(Self.refusal(for: error.status), to: request, context: context)
        } catch {
            context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return answer(.internalError, to: request, context: context)
        }
    }

    private static func refusal(for status: HTTPResponse.Status) -> RequestRefusal {
        switch status {
        case .notFound: .notFound
        case .contentTooLarge: .tooLarge
        default: RequestRefusal(status: status, title: "This request cannot be answered", text: "Nothing was changed.")
        }
    }

    private func answer(_ refusal: RequestRefusal, to request: Request, context: Context) -> Response {
        var response: Response
        if request.wantsJSON {
            response = .json(["error": refusal.text], status: refusal.status)
        } else {
            response = pages.error(refusal, reference: refusal.status == .internalServerError ? context.id : nil)
        }
        if let seconds = refusal.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}
