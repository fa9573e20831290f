import AviaryDesign
import AviaryDomain
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// The tokens that prove that a form comes from a page of this server in the browser's own session.
///
/// A token is the session's message authentication code under a mask that is new in every response, so that
/// compressed pages do not reveal it byte by byte (BREACH).
struct CSRFTokens: Sendable {
    private let keys: KeyRing
    private static let masks = MaskSupply()

    init(_ keys: KeyRing) {
        self.keys = keys
    }

    func token(for session: Session) -> String {
        mask(code(for: session).bytes)
    }

    /// The code of a session, from which its tokens are made without another computation.
    struct Code: Sendable {
        fileprivate let key: KeyID
        fileprivate let bytes: [UInt8]
    }

    func code(for session: Session) -> Code {
        let key = keys.current
        return Code(key: key.id, bytes: Array(code(session, key)))
    }

    /// Returns a token; nil if another key than the code's is the current one.
    func token(_ code: Code) -> String? {
        keys.current.id == code.key ? mask(code.bytes) : nil
    }

    private func mask(_ code: [UInt8]) -> String {
        let mask = Self.masks.next()
        return Base64URL.encode(mask + zip(mask, code).map { $0 ^ $1 })
    }

    func isValid(_ token: String, for session: Session) -> Bool {
        guard !session.isNew, let bytes = Base64URL.decode(token), bytes.count == 64 else { return false }
        let code = zip(bytes.prefix(32), bytes.suffix(32)).map { $0 ^ $1 }
        // A page may have been open for longer than its token's key was the current one.
        return keys.keys.contains { key in
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: session.id, using: key.derived(for: "csrf"))
        }
    }

    private func code(_ session: Session, _ key: KeyRing.Key) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: session.id, using: key.derived(for: "csrf"))
    }
}

/// The masks of a process's tokens, which are random and used once.
///
/// The system provides many at once, because a call for each takes longer than looking up the page that it is for. A token
/// contains its mask, so the masks in the supply are no secrets.
private final class MaskSupply: Sendable {
    private static let length = 32
    private let supply = Mutex<ArraySlice<UInt8>>([])

    /// Returns a mask that no other token has.
    func next() -> [UInt8] {
        supply.withLock { supply in
            if supply.isEmpty {
                supply = SymmetricKey(size: .init(bitCount: 128 * Self.length * 8)).withUnsafeBytes { ArraySlice($0) }
            }
            defer { supply = supply.dropFirst(Self.length) }
            return [UInt8](supply.prefix(Self.length))
        }
    }
}

extension CSRFTokens {
    /// Returns the contents of a sheet, so that the person can send them again and loses no text with a session.
    ///
    /// The result is nil for a form that is not a sheet, and for one that does not come from our own pages:
    /// another site must not be able to fill in forms here.
    func resend(_ request: Request, _ context: AdminRequestContext) -> ErrorPage.Resend? {
        guard isSheet(request, context), !request.wantsJSON, let path = LocalPath(request.uri.path) else { return nil }
        return ErrorPage.Resend(
            action: path.text, csrf: token(for: context.session),
            fields: context.form.filter { $0.name != "csrf" }.map { ($0.name, $0.value) }
        )
    }

    /// Returns the refusal of a form without a token of this session.
    func refusal(_ request: Request, _ context: AdminRequestContext) -> PageError {
        let isSignedIn = context.session.principal != nil
        if let form = resend(request, context) { return isSignedIn ? .stale(form) : .signedOut(form) }
        // A person's Save can show the text again; a script's request for a draft cannot.
        return isSignedIn && isSheet(request, context) && context.route == AccessMiddleware.draftPath
            ? .staleDraft : .forbidden
    }

    private func isSheet(_ request: Request, _ context: AdminRequestContext) -> Bool {
        request.method == .post && request.fetchSite == "same-origin"
            && AccessMiddleware.draftPaths.contains(context.route)
    }
}

extension Request {
    /// The origin of the request, as browsers state it.
    var fetchSite: String? { HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] } }
}
