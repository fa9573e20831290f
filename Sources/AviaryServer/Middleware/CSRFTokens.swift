import AviaryDesign
import AviaryDomain
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Tokens that only a page of ours, in this browser's session, can carry.
///
/// A token is the session's message authentication code under a mask that is new in every response, so that
/// compressed pages do not give it away byte by byte (BREACH).
struct CSRFTokens: Sendable {
    private let keys: KeyRing

    init(_ keys: KeyRing) {
        self.keys = keys
    }

    func token(for session: Session) -> String {
        let mask = SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
        return Base64URL.encode(mask + zip(mask, code(session, keys.current)).map { $0 ^ $1 })
    }

    func isValid(_ token: String, for session: Session) -> Bool {
        guard !session.isNew, let bytes = Base64URL.decode(token), bytes.count == 64 else { return false }
        let code = zip(bytes.prefix(32), bytes.suffix(32)).map { $0 ^ $1 }
        // A page may have been open for longer than the key that its token is made with was the current one.
        return keys.keys.contains { key in
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: session.id, using: key.derived(for: "csrf"))
        }
    }

    private func code(_ session: Session, _ key: KeyRing.Key) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: session.id, using: key.derived(for: "csrf"))
    }
}

extension CSRFTokens {
    /// What a sheet has sent, to be sent once more by whoever sees it: nothing that was typed is lost with a session. Nil for
    /// what is no sheet, and for what does not say that it comes from our own pages: another site must not fill in forms here.
    func resend(_ request: Request, _ context: AdminRequestContext) -> ErrorPage.Resend? {
        guard isSheet(request, context), !request.wantsJSON, let path = LocalPath(request.uri.path) else { return nil }
        return ErrorPage.Resend(
            action: path.text, csrf: token(for: context.session),
            fields: context.form.filter { $0.name != "csrf" }.map { ($0.name, $0.value) }
        )
    }

    /// Why a form without a token of this session is refused.
    func refusal(_ request: Request, _ context: AdminRequestContext) -> RequestRefusal {
        let isSignedIn = context.session.principal != nil
        if let form = resend(request, context) { return isSignedIn ? .stale(form) : .signedOut(form) }
        // Save is no request of a script's: it brings the text back.
        return isSignedIn && isSheet(request, context) && context.route == AccessMiddleware.draftPath
            ? .staleDraft : .forbidden
    }

    private func isSheet(_ request: Request, _ context: AdminRequestContext) -> Bool {
        request.method == .post && request.fetchSite == "same-origin"
            && AccessMiddleware.draftPaths.contains(context.route)
    }
}

extension Request {
    /// Where the request comes from, as browsers say.
    var fetchSite: String? { HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] } }
}
