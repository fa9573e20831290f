import AccountsFeature
import AviaryDomain
import Foundation
import Hummingbird

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
