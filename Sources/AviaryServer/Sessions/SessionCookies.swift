import AviaryDomain
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
