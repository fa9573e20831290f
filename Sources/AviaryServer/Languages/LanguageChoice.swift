import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird

/// In which of the application's languages a browser is answered: in the one that somebody chose in it, else in the one that
/// it asks for, else in the application's first. What was chosen is a small cookie: nobody's secret, and trusted in nothing.
struct LanguageChoice: Sendable {
    let languages: [Language]
    let names: CookieNames

    static let path = "/language"
    private static let maxAge = 365 * 24 * 3600

    /// Whether there is anything to choose.
    var isOffered: Bool { languages.count > 1 }

    /// What pages are written in where nobody asks for anything else.
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

    /// Nil where there is nothing to choose.
    ///
    /// - Parameter path: Where it was asked for, and leads back to.
    func form(csrf: String, returningTo path: String) -> LanguageForm? {
        guard isOffered else { return nil }
        return LanguageForm(
            languages: languages.map { LanguageForm.Language(code: $0.code, name: $0.name) }, action: Self.path,
            csrf: csrf,
            returnPath: path
        )
    }
}

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

/// Where a browser is told in which language to be answered. For everyone: also the form for signing in is read.
struct LanguageRoutes: Sendable {
    let choice: LanguageChoice

    func add(to router: Router<AdminRequestContext>) {
        router.post("/language") { [choice] _, context in
            guard let language = context.form.value("language").flatMap({ choice.languages[code: $0] }) else {
                throw RequestRefusal.malformedForm
            }
            let path = context.form.value("return").flatMap { LocalPath($0) }
            var response = Response.seeOther(path?.text ?? ModelPaths.admin)
            response.setCookie(choice.keep(language))
            return response
        }
    }
}
