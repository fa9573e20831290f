import AviaryDomain
import HTTPTypes
import Hummingbird

/// Lets everything that a request has written be in the language of its browser.
struct LanguageMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let choice: LanguageChoice

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let cookies = request.cookies
        context.cookies = cookies
        let language = choice.language(for: request, cookies)
        var response = try await language.use { [context] in try await next(request, context) }
        guard response.isPage else { return response }
        response.headers[.contentLanguage] = language.code
        // The same address has another text for another browser.
        if choice.isOffered { response.vary(on: "Accept-Language", "Cookie") }
        return response
    }
}

extension Response {
    fileprivate var isPage: Bool {
        headers[.contentType]?.hasPrefix("text/html") == true && !headers.contains(.contentLanguage)
    }

    /// Names what an answer depends on beside its address (RFC 9110, section 12.5.5).
    mutating func vary(on fields: String...) {
        headers[.vary] = ([headers[.vary]].compactMap(\.self) + fields).joined(separator: ", ")
    }
}
