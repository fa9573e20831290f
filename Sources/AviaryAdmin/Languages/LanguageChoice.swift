import AviaryDesign
import AviaryDomain
import AviaryHTTP
import Foundation
import HTTPTypes
import Hummingbird

/// The language of a response: the one that was chosen in the browser, else the one that the browser asks for,
/// else the application's first.
///
/// The choice is kept in a small cookie. It is not secret, and the server does not trust it.
struct LanguageChoice: Sendable {
    let languages: [Language]
    let names: CookieNames

    static let path = "/language"
    private static let maxAge = 365 * 24 * 3600

    /// Indicates whether there is more than one language to choose from.
    var isOffered: Bool { languages.count > 1 }

    /// The language of pages when the browser asks for no other one.
    var first: Language { languages.first ?? .english }

    func language(for request: Request, _ cookies: Cookies) -> Language {
        guard isOffered else { return first }
        if let chosen = cookies[names.language]?.value, let language = languages[code: chosen] { return language }
        return request.headers[.acceptLanguage].flatMap { Language.preferred(by: $0, of: languages) } ?? first
    }

    func keep(_ language: Language) -> Cookie {
        Cookie(
            name: names.language, value: language.code, maxAge: Self.maxAge, path: "/", secure: names.areSecure,
            httpOnly: true,
            sameSite: .lax
        )
    }

    /// Returns the form that chooses a language, or nil when there is only one.
    ///
    /// - Parameter path: The page that contains the form. The form leads back to it.
    func form(csrf: String, returningTo path: String) -> LanguageForm? {
        guard isOffered else { return nil }
        return LanguageForm(
            languages: languages.map { LanguageForm.Language(code: $0.code, name: $0.name) }, action: Self.path,
            csrf: csrf,
            returnPath: path
        )
    }
}

/// A middleware that writes the response to a request in the language of its browser.
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
        // The same address has a different text for another browser.
        if choice.isOffered { response.vary(on: "Accept-Language", "Cookie") }
        return response
    }
}

/// A middleware that writes the response to a request with the times of a zone.
struct TimeZoneMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let zone: TimeZone

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await PageTimeZone.$current.withValue(zone) { try await next(request, context) }
    }
}

extension Response {
    fileprivate var isPage: Bool {
        headers[.contentType]?.hasPrefix("text/html") == true && !headers.contains(.contentLanguage)
    }
}

/// The route that sets a browser's language. It needs no session, because the sign-in form has a language too.
struct LanguageRoutes: Sendable {
    let choice: LanguageChoice

    func add(to router: Router<AdminRequestContext>) {
        router.post("/language") { [choice] _, context in
            guard let language = context.form.value("language").flatMap({ choice.languages[code: $0] }) else {
                throw PageError.malformedForm
            }
            let path = context.form.value("return").flatMap { LocalPath($0) }
            var response = Response.seeOther(path?.text ?? ModelPaths.admin)
            response.setCookie(choice.keep(language))
            return response
        }
    }
}
