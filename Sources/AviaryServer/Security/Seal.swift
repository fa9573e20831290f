import AviaryDomain
import Crypto
import Foundation

/// Seals bytes so that only this server reads and makes them, for one purpose: AES-256-GCM under a key that is derived for the
/// purpose, with a context as additional data, so that what is sealed is worth nothing anywhere else.
///
/// A sealed text is base64url of: format version (1 byte), key id (4), nonce (12), ciphertext, tag (16).
struct Seal: Sendable {
    private static let formatVersion: UInt8 = 1
    private static let headerLength = 5

    let purpose: String
    let keys: KeyRing

    /// - Parameters:
    ///   - context: what must be the same when it is opened.
    ///   - key: the ring's current one unless given.
    func seal(_ bytes: some DataProtocol, context: String, under key: KeyRing.Key? = nil) throws -> String {
        let key = key ?? keys.current
        let header = [Self.formatVersion] + key.id.bytes
        let box = try AES.GCM.seal(
            bytes, using: key.derived(for: purpose), authenticating: Data(header) + Data(context.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Base64URL.encode(header + [UInt8](combined))
    }

    /// Nil for whatever was not sealed here, for this purpose and context, or was under a key that is gone.
    func open(_ text: String, context: String) -> Data? {
        guard let bytes = Base64URL.decode(text), let id = Self.keyID(of: bytes), let key = keys.key(id) else {
            return nil
        }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst(Self.headerLength))
            let header = Data(bytes.prefix(Self.headerLength))
            return try AES.GCM.open(box, using: key.derived(for: purpose), authenticating: header + Data(context.utf8))
        } catch {
            return nil
        }
    }

    /// Whether it says of itself that it was sealed under the key.
    static func isSealed(_ text: String, under key: KeyID) -> Bool {
        Base64URL.decode(text).flatMap(keyID)?.elementsEqual(key.bytes) == true
    }

    private static func keyID(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        bytes.count > headerLength && bytes[0] == formatVersion ? bytes[1..<headerLength] : nil
    }
}
