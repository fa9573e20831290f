import AviaryDomain
import Crypto
import Foundation

/// Seals drafts so that only this server reads and makes them: AES-256-GCM, with the cookie's name and the user as
/// additional data, so that a sealed draft is worth nothing under another name or to another user.
///
/// A sealed draft is base64url of: format version (1 byte), key id (4), nonce (12), ciphertext, tag (16).
struct DraftSealer: Sendable {
    private static let formatVersion: UInt8 = 1
    private static let headerLength = 5

    private let current: KeyRing.Key
    private let sealingKeys: [KeyID: SymmetricKey]

    init(_ keys: KeyRing) {
        current = keys.current
        sealingKeys = Dictionary(
            keys.keys.map { ($0.id, $0.derived(for: "draft seal")) }, uniquingKeysWith: { first, _ in first }
        )
    }

    func seal(_ draft: Draft, cookie: String) throws -> String {
        let header = [Self.formatVersion] + current.id.bytes
        let box = try AES.GCM.seal(
            JSONEncoder().encode(draft), using: current.derived(for: "draft seal"),
            authenticating: additionalData(header: header, cookie: cookie, user: draft.user)
        )
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Base64URL.encode(header + [UInt8](combined))
    }

    /// Nil for whatever was not sealed here, for this cookie and this user, or has expired.
    func open(_ text: String, cookie: String, user: String, at now: Date) -> Draft? {
        guard let bytes = Base64URL.decode(text), bytes.count > Self.headerLength,
              bytes[0] == Self.formatVersion
        else { return nil }
        let header = Array(bytes.prefix(Self.headerLength))
        guard let key = sealingKeys.first(where: { $0.key.bytes.elementsEqual(header.dropFirst()) })?.value else { return nil }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst(Self.headerLength))
            let payload = try AES.GCM.open(
                box, using: key, authenticating: additionalData(header: header, cookie: cookie, user: user)
            )
            let draft = try JSONDecoder().decode(Draft.self, from: payload)
            return draft.user == user && draft.expiresAt > now ? draft : nil
        } catch {
            return nil
        }
    }

    private func additionalData(header: [UInt8], cookie: String, user: String) -> Data {
        Data(header) + Data(cookie.utf8) + Data([0]) + Data(user.utf8)
    }
}
