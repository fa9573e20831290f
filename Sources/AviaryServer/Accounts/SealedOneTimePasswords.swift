import AviaryDomain
import Crypto
import Foundation

/// The second factor, with its secrets sealed: a store's file, or a snapshot, gives nobody a code, and a sealed secret is worth
/// nothing outside of its account.
///
/// ```swift
/// let factor = SealedOneTimePasswords(keys: keys)
/// let secret = try factor.makeSecret(for: account, in: session, at: Date())
/// let stored = try factor.stored(secret, of: account)
/// factor.step(of: "287082", for: stored, of: account, after: 0, at: Date())
/// ```
struct SealedOneTimePasswords: OneTimePasswords {
    /// How long a form for setting up is good, in seconds.
    static let setUpTime: TimeInterval = 900
    /// Of secrets that accounts keep, with the account as context.
    static let storedPurpose = "one-time secret of an account"
    /// Of secrets that travel in a form, with account and session as context.
    static let pendingPurpose = "one-time secret being set up"
    /// Of secrets that accounts of an earlier version keep: the context is the same for all. Nothing is sealed for it any more,
    /// and nothing that a request sends is opened for it.
    static let unboundPurpose = "one-time secret"
    /// In bytes: what RFC 4226, section 4, recommends.
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
        // A clock that was set back must not prolong it.
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

    /// Seals a stored secret under another key, for its account.
    ///
    /// - Returns: Nil when it is sealed so already, or when it cannot be opened.
    func sealAgain(_ stored: String, of account: UUID, under key: KeyRing.Key) throws -> String? {
        guard let secret = secret(in: stored, of: account),
            unbound(stored) != nil || !Seal.isSealed(stored, under: key.id)
        else { return nil }
        return try storedSeal.seal(secret, context: account.canonicalText, under: key)
    }

    /// The secret that an account keeps; nil when it is another account's, or was sealed under a key that is gone.
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
        // All three are looked at, and each whole: the time tells nothing.
        let matching = ((step - 1)...(step + 1)).filter { candidate in
            let expected = OneTimeCode.code(of: secret, step: candidate)
            return zip(expected, typed).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
        return matching.last { $0 > last }
    }

    /// Both have the same length always, so no two pairs read the same.
    private static func context(_ account: UUID, _ session: UUID) -> String {
        account.canonicalText + session.canonicalText
    }
}

/// Time-based one-time passwords: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which is what every
/// authenticator knows. (SHA-1's weakness, collisions, is none here.)
enum OneTimeCode {
    static let digits = 6
    static let stepLength = 30

    /// The number of the step that the time lies in.
    static func step(at time: Date) -> Int {
        Int((time.timeIntervalSince1970 / Double(stepLength)).rounded(.down))
    }

    /// Its digits, as ASCII (RFC 4226, section 5.3).
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

/// What lets one sign in once without the second factor: 80 random bits, as four groups of four characters.
struct RecoveryCode: Sendable, Hashable {
    /// How many an account gets.
    static let count = 10
    private static let length = 10
    private static let groupLength = 4

    private let bytes: [UInt8]

    init() {
        bytes = SymmetricKey(size: .init(bitCount: Self.length * 8)).withUnsafeBytes { [UInt8]($0) }
    }

    /// As people type it: in capitals or not, with hyphens and spaces or without. Nil for what is no such code.
    init?(_ typed: String) {
        guard typed.utf8.count <= 64 else { return nil }
        let text = typed.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        guard let bytes = Base32.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// `ABCD-EFGH-IJKL-MNOP`.
    var text: String {
        let characters = Array(Base32.encode(bytes))
        return stride(from: 0, to: characters.count, by: Self.groupLength)
            .map { String(characters[$0..<min($0 + Self.groupLength, characters.count)]) }.joined(separator: "-")
    }

    /// What is stored in its place. Nobody guesses 80 bits, so a plain hash does, and no key has to be kept for it.
    var hash: String {
        Base64URL.encode([UInt8](SHA256.hash(data: Data("aviary recovery code".utf8) + bytes)))
    }
}

/// Base32 without padding (RFC 4648, section 6): what authenticators take, and what people can type.
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

    /// Nil for anything but what ``encode(_:)`` gives.
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
        // No bit of a last, unfinished byte is set, and there is no character too many.
        return buffer == 0 && bits < 5 ? bytes : nil
    }
}
