import AccountsFeature
import AviaryDomain
import AviaryHTTP
import Foundation
import Hummingbird

/// The cookie of a session.
struct SessionCookies: Sendable {
    let names: CookieNames
    var limits = SessionLimits()

    /// Returns the cookie.
    ///
    /// It is `SameSite=Lax`, so that a person who follows a link from another site is signed in; tokens protect
    /// the forms. A session in which nobody is signed in ends with the browser.
    func keep(_ session: Session) -> Cookie {
        guard session.principal != nil else {
            return Cookie(
                name: names.session, value: session.cookieValue, path: "/", secure: names.areSecure, httpOnly: true,
                sameSite: .lax
            )
        }
        return Cookie(
            name: names.session, value: session.cookieValue, maxAge: Int(limits.absolute), path: "/",
            secure: names.areSecure, httpOnly: true, sameSite: .lax
        )
    }

    func expire() -> Cookie {
        Cookie(
            name: names.session, value: "", maxAge: 0, path: "/", secure: names.areSecure, httpOnly: true,
            sameSite: .lax)
    }

    func isSet(in response: Response) -> Bool {
        response.headers[values: .setCookie].contains { $0.hasPrefix(names.session + "=") }
    }
}

/// The names of the server's cookies.
///
/// Behind TLS they begin with `__Host-`. Browsers then accept them only from this very host and over TLS. On
/// plain-HTTP loopback this is not possible. There a browser shares cookies between the ports of a host, so the
/// port is part of the name.
struct CookieNames: Sendable {
    let session: String
    /// The prefix of the names of all drafts.
    let draftPrefix: String
    /// The prefix of the names of all choices of columns.
    let columnsPrefix: String
    /// The name for the draft of a sheet that was just cancelled.
    let cancelled: String
    let language: String
    let knownBrowser: String
    /// Indicates whether a browser may send the cookies over TLS only.
    let areSecure: Bool

    /// Creates the names.
    ///
    /// - Parameter port: The port that the server listens on.
    init(port: Int, settings: AddressSettings = AddressSettings()) {
        areSecure = settings.isSecure
        if areSecure {
            session = "__Host-session"
            draftPrefix = "__Host-d."
            columnsPrefix = "__Host-c."
            cancelled = "__Host-cancelled"
            language = "__Host-language"
            knownBrowser = "__Host-known"
        } else {
            let port = settings.publicURL?.port ?? port
            session = "session-\(port)"
            draftPrefix = "d-\(port)."
            columnsPrefix = "c-\(port)."
            cancelled = "cancelled-\(port)"
            language = "language-\(port)"
            knownBrowser = "known-\(port)"
        }
    }
}

/// The cookie of a browser in which somebody has signed in before. It remains after signing out.
struct RecognizedBrowserCookies: Sendable {
    let names: CookieNames
    private let seal: Seal

    init(names: CookieNames, keys: KeyRing) {
        self.names = names
        seal = Seal(purpose: "known browser", keys: keys)
    }

    func keep(_ browser: RecognizedBrowser) throws -> Cookie {
        Cookie(
            name: names.knownBrowser, value: try seal.seal(try JSONEncoder().encode(browser), context: ""),
            maxAge: Int(RecognizedBrowser.lifetime), path: "/", secure: names.areSecure, httpOnly: true, sameSite: .lax
        )
    }

    /// Returns the known browser, or nil for a cookie that this server did not create or that has expired.
    func read(_ request: Request, at now: Date) -> RecognizedBrowser? {
        guard let pair = request.cookiePairs.first(where: { $0.name == names.knownBrowser }),
            let bytes = seal.open(pair.value, context: "")
        else { return nil }
        // A cookie of another version is ignored.
        guard let browser = try? JSONDecoder().decode(RecognizedBrowser.self, from: bytes), browser.expiresAt > now
        else {
            return nil
        }
        return browser
    }
}
