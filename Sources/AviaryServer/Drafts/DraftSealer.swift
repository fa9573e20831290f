import AviaryDomain
import Foundation

/// Seals drafts so that only this server reads and makes them, each for its cookie's name and its user: under another name or
/// to another user it is worth nothing.
struct DraftSealer: Sendable {
    /// No draft that was kept is longer.
    private static let longestPayload = 64 * 1024

    private let seal: Seal
    private let compression: (any DraftCompression)?

    init(_ keys: KeyRing, compression: (any DraftCompression)? = nil) {
        seal = Seal(purpose: "draft seal", keys: keys)
        self.compression = compression
    }

    func seal(_ draft: Draft, cookie: String) throws -> String {
        let plain = [UInt8](try JSONEncoder().encode(draft))
        let compressed = plain.count <= Self.longestPayload ? compression?.compressed(plain) : nil
        let payload = compressed.flatMap { $0.count < plain.count ? $0 : nil } ?? plain
        return try seal.seal(payload, context: Self.context(cookie: cookie, user: draft.user))
    }

    /// Nil for whatever was not sealed here, for this cookie and this user, or has expired.
    func open(_ text: String, cookie: String, user: String, at now: Date) -> Draft? {
        guard let payload = seal.open(text, context: Self.context(cookie: cookie, user: user)) else { return nil }
        do {
            // JSON begins with a brace, and what is compressed never does.
            guard
                let plain = payload.first == UInt8(ascii: "{")
                    ? payload : compression?.expanded([UInt8](payload), limit: Self.longestPayload).map({ Data($0) })
            else { return nil }
            let draft = try JSONDecoder().decode(Draft.self, from: plain)
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
