import AviaryDomain
import Foundation

/// Seals drafts so that only this server reads and makes them, each for its cookie's name and its user: under another name or
/// to another user it is worth nothing.
struct DraftSealer: Sendable {
    private let seal: Seal

    init(_ keys: KeyRing) {
        seal = Seal(purpose: "draft seal", keys: keys)
    }

    func seal(_ draft: Draft, cookie: String) throws -> String {
        try seal.seal(JSONEncoder().encode(draft), context: Self.context(cookie: cookie, user: draft.user))
    }

    /// Nil for whatever was not sealed here, for this cookie and this user, or has expired.
    func open(_ text: String, cookie: String, user: String, at now: Date) -> Draft? {
        guard let payload = seal.open(text, context: Self.context(cookie: cookie, user: user)) else { return nil }
        do {
            let draft = try JSONDecoder().decode(Draft.self, from: payload)
            return draft.user == user && draft.expiresAt > now ? draft : nil
        } catch {
            return nil  // of a program with another kind of draft
        }
    }

    /// Neither has a character 0, so no two pairs read the same.
    private static func context(cookie: String, user: String) -> String {
        cookie + "\0" + user
    }
}
