import AviaryDomain
import Foundation
import Hummingbird

/// The text of a sheet that was just cancelled, for the page that Cancel leads to, and for no other: the browser forgets it with
/// that page, or after a minute. It is sealed as another draft; the cancelled one stays so.
struct CancelledDraft: Sendable {
    let draft: Draft
    /// The cookie in which it would go on, and what would be in it.
    let cookie: String
    let sealed: String

    private static let lifetime = 60
    /// In no name and in no value of a draft's cookie.
    private static let separator: Character = "~"

    /// Nil where there is none of the model's.
    init?(_ context: AdminRequestContext, of model: ModelSchema, user: String, in site: AdminSite) {
        let parts =
            context.cookies?[site.drafts.names.cancelled]?.value.split(separator: Self.separator, maxSplits: 1) ?? []
        guard let cookie = parts.first.map(String.init), let sealed = parts.dropFirst().first.map(String.init),
            let kept = site.drafts.open(sealed, cookie: cookie, user: user, at: site.now()),
            kept.draft.model == model.name
        else { return nil }
        (draft, self.cookie, self.sealed) = (kept.draft, cookie, sealed)
    }

    /// Nil for a draft that just fitted and does not any more: then it cannot be brought back.
    static func keep(_ draft: Draft, in site: AdminSite) -> Cookie? {
        guard let cookie = try? site.drafts.keep(draft.again(as: .version7(), at: site.now()), beside: DraftShelf())
        else { return nil }
        return self.cookie(cookie.name + String(separator) + cookie.value, maxAge: lifetime, site.drafts.names)
    }

    static func forget(_ names: CookieNames) -> Cookie { cookie("", maxAge: 0, names) }

    private static func cookie(_ value: String, maxAge: Int, _ names: CookieNames) -> Cookie {
        Cookie(
            name: names.cancelled, value: value, maxAge: maxAge, path: "/", secure: names.areSecure, httpOnly: true,
            sameSite: .strict)
    }
}
