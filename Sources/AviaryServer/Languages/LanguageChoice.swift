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
