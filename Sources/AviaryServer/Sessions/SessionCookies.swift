import AccountsFeature
import AviaryDomain
import Foundation
import Hummingbird

/// The cookie of a session.
struct SessionCookies: Sendable {
    let names: CookieNames
    var limits = SessionLimits()

    /// Lax, so that a link from elsewhere finds one signed in; forms are guarded by their tokens. A session in which nobody is
    /// signed in goes with the browser.
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

/// Names of our cookies. Behind TLS they begin with `__Host-`: then browsers take them from this very host only, sent
/// over TLS. On plain-HTTP loopback that is not possible; there a browser shares cookies between the ports of a host, so
/// the port is part of the name.
struct CookieNames: Sendable {
    let session: String
    /// What the name of every draft begins with.
    let draftPrefix: String
    /// What the name of every choice of columns begins with.
    let columnsPrefix: String
    /// Of the draft of a sheet that was just cancelled.
    let cancelled: String
    let language: String
    let knownBrowser: String
    /// Whether a browser may send them over TLS only.
    let areSecure: Bool

    /// - Parameter port: the one that is listened on.
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

/// The cookie by which a browser is known as one in which somebody has signed in before. It stays when they sign out.
struct KnownBrowserCookies: Sendable {
    let names: CookieNames
    private let seal: Seal

    init(names: CookieNames, keys: KeyRing) {
        self.names = names
        seal = Seal(purpose: "known browser", keys: keys)
    }

    func keep(_ browser: KnownBrowser) throws -> Cookie {
        Cookie(
            name: names.knownBrowser, value: try seal.seal(try JSONEncoder().encode(browser), context: ""),
            maxAge: Int(KnownBrowser.lifetime), path: "/", secure: names.areSecure, httpOnly: true, sameSite: .lax
        )
    }

    /// Nil for whatever was not made here, or is over.
    func read(_ request: Request, at now: Date) -> KnownBrowser? {
        guard let pair = request.cookiePairs.first(where: { $0.name == names.knownBrowser }),
            let bytes = seal.open(pair.value, context: "")
        else { return nil }
        // Another version's is as good as none.
        guard let browser = try? JSONDecoder().decode(KnownBrowser.self, from: bytes), browser.expiresAt > now else {
            return nil
        }
        return browser
    }
}
