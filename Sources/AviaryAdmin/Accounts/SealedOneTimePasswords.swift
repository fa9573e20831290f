import AviaryDomain
import Crypto
import Foundation

/// The second factor, with sealed secrets.
///
/// A store's file or a snapshot does not reveal any codes, and a sealed secret cannot be used with another account.
///
/// ```swift
/// let factor = SealedOneTimePasswords(keys: keys)
/// let secret = try factor.makeSecret(for: account, in: session, at: Date())
/// let stored = try factor.stored(secret, of: account)
/// factor.step(of: "287082", for: stored, of: account, after: 0, at: Date())
/// ```
struct SealedOneTimePasswords: OneTimePasswords {
    /// The time for which a setup form is valid, in seconds.
    static let setUpTime: TimeInterval = 900
    /// The seal's purpose for stored secrets. The context is the account.
    static let storedPurpose = "one-time secret of an account"
    /// The seal's purpose for secrets in a form. The context is the account and the session.
    static let pendingPurpose = "one-time secret being set up"
    /// The seal's purpose for secrets that an earlier version stored, with the same context for all accounts.
    ///
    /// The server seals nothing with it and opens only stored secrets with it, never a secret from a request.
    static let unboundPurpose = "one-time secret"
    /// The size of a secret in bytes, as RFC 4226, section 4, recommends.
    private static let secretLength = 20

    private let storedSeal: Seal
    private let pendingSeal: Seal
    private let unboundSeal: Seal

    init(keys: KeyRing) {
        storedSeal = Seal(purpose: Self.storedPurpose, keys: keys)
        pendingSeal = Seal(purpose: Self.pendingPurpose, keys: keys)
        unboundSeal = Seal(purpose: Self.unboundPurpose, keys: keys)
    }

    // MARK: Setting up

    func makeSecret(for account: UUID, in session: UUID, at now: Date) throws -> OneTimeSecret {
        let secret = SymmetricKey(size: .init(bitCount: Self.secretLength * 8)).withUnsafeBytes { [UInt8]($0) }
        let end = UInt64(max(0, now.timeIntervalSince1970 + Self.setUpTime))
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: end >> (56 - 8 * $0)) } + secret
        return OneTimeSecret(
            sealed: try pendingSeal.seal(payload, context: Self.context(account, session)),
            base32: Base32.encode(secret)
        )
    }

    func pendingSecret(_ sealed: String, for account: UUID, in session: UUID, at now: Date) -> OneTimeSecret? {
        guard let payload = pendingSeal.open(sealed, context: Self.context(account, session)).map([UInt8].init),
            payload.count == 8 + Self.secretLength
        else { return nil }
        let end = payload.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let rest = TimeInterval(end) - now.timeIntervalSince1970
        // A clock that was set back must not extend the time.
        guard rest > 0, rest <= Self.setUpTime else { return nil }
        return OneTimeSecret(sealed: sealed, base32: Base32.encode(Array(payload.dropFirst(8))))
    }

    func step(of code: String, for secret: OneTimeSecret, at now: Date) -> Int? {
        Base32.decode(secret.base32).flatMap { Self.step(of: code, for: $0, after: 0, at: now) }
    }

    // MARK: Stored

    func stored(_ secret: OneTimeSecret, of account: UUID) throws -> String {
        guard let bytes = Base32.decode(secret.base32) else { throw CryptoKitError.incorrectParameterSize }
        return try storedSeal.seal(bytes, context: account.canonicalText)
    }

    func resealed(_ stored: String, of account: UUID) throws -> String? {
        try unbound(stored).map { try storedSeal.seal($0, context: account.canonicalText) }
    }

    func step(of code: String, for stored: String, of account: UUID, after last: Int, at now: Date) -> Int? {
        secret(in: stored, of: account).flatMap { Self.step(of: code, for: $0, after: last, at: now) }
    }

    /// Seals a stored secret for its account with another key.
    ///
    /// - Returns: The sealed secret, or nil if it is already sealed for its account with this key, or cannot be
    ///   opened.
    func reseal(_ stored: String, of account: UUID, under key: KeyRing.Key) throws -> String? {
        guard let secret = secret(in: stored, of: account),
            unbound(stored) != nil || !Seal.isSealed(stored, under: key.id)
        else { return nil }
        return try storedSeal.seal(secret, context: account.canonicalText, under: key)
    }

    /// Returns the secret of an account, or nil if it belongs to another account or its key no longer exists.
    func secret(in stored: String, of account: UUID) -> [UInt8]? {
        (storedSeal.open(stored, context: account.canonicalText) ?? unbound(stored)).map([UInt8].init)
    }

    private func unbound(_ stored: String) -> Data? { unboundSeal.open(stored, context: Self.unboundPurpose) }

    // MARK: Recovery codes

    func makeRecoveryCodes() -> RecoveryCodes {
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode() }
        return RecoveryCodes(codes: codes.map(\.text), hashes: codes.map(\.hash))
    }

    func recoveryHash(of code: String, among hashes: [String]) -> String? {
        guard let hash = RecoveryCode(code)?.hash else { return nil }
        return hashes.filter { SymmetricKey(data: Data($0.utf8)) == SymmetricKey(data: Data(hash.utf8)) }.first
    }

    private static func step(of code: String, for secret: [UInt8], after last: Int, at now: Date) -> Int? {
        let typed = Array(code.utf8.filter { $0 != UInt8(ascii: " ") })
        guard typed.count == OneTimeCode.digits else { return nil }
        let step = OneTimeCode.step(at: now)
        // All three candidates are compared completely, so that the time reveals nothing.
        let matching = ((step - 1)...(step + 1)).filter { candidate in
            let expected = OneTimeCode.code(of: secret, step: candidate)
            return zip(expected, typed).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
        return matching.last { $0 > last }
    }

    /// Returns the context of a pending secret. Both parts have a fixed length, so that two pairs never produce the
    /// same text.
    private static func context(_ account: UUID, _ session: UUID) -> String {
        account.canonicalText + session.canonicalText
    }
}

/// Time-based one-time passwords: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which every
/// authenticator app supports.
///
/// The weakness of SHA-1, collisions, does not affect HMAC.
enum OneTimeCode {
    static let digits = 6
    static let stepLength = 30

    /// Returns the number of the step that contains a time.
    static func step(at time: Date) -> Int {
        Int((time.timeIntervalSince1970 / Double(stepLength)).rounded(.down))
    }

    /// Returns the digits of a step's code in ASCII (RFC 4226, section 5.3).
    static func code(of secret: [UInt8], step: Int) -> [UInt8] {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let code = [UInt8](HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(code[code.count - 1] & 0x0F)
        var number = code[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        var text = [UInt8](repeating: UInt8(ascii: "0"), count: digits)
        for index in text.indices.reversed() {
            text[index] += UInt8(number % 10)
            number /= 10
        }
        return text
    }
}

/// A code that replaces the second factor for a single sign-in: 80 random bits in four groups of four characters.
struct RecoveryCode: Sendable, Hashable {
    /// The number of codes per account.
    static let count = 10
    private static let length = 10
    private static let groupLength = 4

    private let bytes: [UInt8]

    init() {
        bytes = SymmetricKey(size: .init(bitCount: Self.length * 8)).withUnsafeBytes { [UInt8]($0) }
    }

    /// Parses a typed code, or returns nil if it is invalid. Case, hyphens and spaces are ignored.
    init?(_ typed: String) {
        guard typed.utf8.count <= 64 else { return nil }
        let text = typed.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        guard let bytes = Base32.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// The text of the code, such as `ABCD-EFGH-IJKL-MNOP`.
    var text: String {
        let characters = Array(Base32.encode(bytes))
        return stride(from: 0, to: characters.count, by: Self.groupLength)
            .map { String(characters[$0..<min($0 + Self.groupLength, characters.count)]) }.joined(separator: "-")
    }

    /// The hash that is stored instead of the code. A plain hash is enough, because 80 random bits cannot be
    /// guessed, and it needs no key.
    var hash: String {
        Base64URL.encode([UInt8](SHA256.hash(data: Data("aviary recovery code".utf8) + bytes)))
    }
}

/// Base32 without padding (RFC 4648, section 6), which authenticator apps accept and people can type.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (buffer, bits) = (0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
            buffer &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes, or nil if the text is not an output of ``encode(_:)``.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (buffer, bits) = (0, 0)
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | value
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
            buffer &= (1 << bits) - 1
        }
        // The unused bits of the last character must be zero, and there must be no surplus character.
        return buffer == 0 && bits < 5 ? bytes : nil
    }
}
