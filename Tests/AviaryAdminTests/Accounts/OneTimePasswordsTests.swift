import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Time-based one-time passwords")
struct OneTimePasswordsTests {
    private let keys: KeyRing
    private let factor: SealedOneTimePasswords
    private let account = UUID(), session = UUID()

    init() throws {
        keys = try keyRing()
        factor = SealedOneTimePasswords(keys: keys)
    }

    @Test(
        "Codes are the last six digits of the test vectors in RFC 6238, appendix B",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ])
    func vectors(time: Int, code: String) {
        let step = OneTimeCode.step(at: Date(timeIntervalSince1970: TimeInterval(time)))
        #expect(
            String(decoding: OneTimeCode.code(of: Array("12345678901234567890".utf8), step: step), as: UTF8.self)
                == code)
    }

    @Test("A secret is 160 random bits in Base32")
    func secret() throws {
        let secret = try makeSecret()
        #expect(secret.base32.wholeMatch(of: /[A-Z2-7]{32}/) != nil)
        #expect(Base32.decode(secret.base32)?.count == 20)
        #expect(pending(secret.sealed) == secret)
        #expect(try makeSecret().base32 != secret.base32)
    }

    @Test("A stored secret is encrypted, and another account or server cannot open it")
    func sealed() throws {
        let secret = try makeSecret(), bytes = try #require(Base32.decode(secret.base32))
        let stored = try factor.stored(secret, of: account)
        for sealed in [stored, secret.sealed] {
            #expect(Data(try #require(Base64URL.decode(sealed))).range(of: Data(bytes)) == nil)
        }
        #expect(factor.secret(in: stored, of: account) == bytes)
        #expect(factor.secret(in: stored, of: UUID()) == nil)
        #expect(SealedOneTimePasswords(keys: try keyRing()).secret(in: stored, of: account) == nil)
        #expect(factor.step(of: "000000", for: "rubbish", of: account, after: 0, at: morning) == nil)
        let now = OneTimeCode.step(at: morning), code = try code(secret, now)
        #expect(factor.step(of: code, for: stored, of: account, after: 0, at: morning) == now)
        #expect(factor.step(of: code, for: stored, of: UUID(), after: 0, at: morning) == nil)
    }

    @Test("A pending secret opens only for its account and session, for a quarter of an hour")
    func bound() throws {
        let secret = try makeSecret()
        #expect(factor.pendingSecret(secret.sealed, for: UUID(), in: session, at: morning) == nil)
        #expect(factor.pendingSecret(secret.sealed, for: account, in: UUID(), at: morning) == nil)
        #expect(factor.pendingSecret(secret.sealed, for: session, in: account, at: morning) == nil)
        #expect(pending(secret.sealed, after: SealedOneTimePasswords.setUpTime - 1) == secret)
        #expect(pending(secret.sealed, after: SealedOneTimePasswords.setUpTime) == nil)
        #expect(pending(secret.sealed, after: -1) == nil, "A clock that was set back prolongs nothing.")
    }

    @Test("A form rejects stored secrets, and an account rejects pending ones")
    func purposes() throws {
        let secret = try makeSecret()
        #expect(pending(try factor.stored(secret, of: account)) == nil)
        #expect(pending(try unbound(secret)) == nil)
        #expect(factor.secret(in: secret.sealed, of: account) == nil)
        #expect(try factor.resealed(secret.sealed, of: account) == nil)
    }

    @Test("A secret stored by an earlier version still verifies and is sealed for its account once")
    func unboundSecret() throws {
        let secret = try makeSecret(), stored = try unbound(secret), now = OneTimeCode.step(at: morning)
        let code = try code(secret, now)
        #expect(factor.step(of: code, for: stored, of: account, after: 0, at: morning) == now)
        let resealed = try #require(try factor.resealed(stored, of: account))
        #expect(try factor.resealed(resealed, of: account) == nil)
        #expect(factor.step(of: code, for: resealed, of: account, after: 0, at: morning) == now)
        #expect(factor.secret(in: resealed, of: UUID()) == nil)
        #expect(try factor.resealed("rubbish", of: account) == nil)
    }

    @Test("A sealed secret with any changed byte is rejected")
    func flipped() throws {
        let secret = try makeSecret()
        for (sealed, opens) in [
            (secret.sealed, { pending($0) != nil }),
            (try factor.stored(secret, of: account), { factor.secret(in: $0, of: account) != nil }),
        ] as [(String, (String) -> Bool)] {
            let bytes = try #require(Base64URL.decode(sealed))
            #expect(opens(sealed))
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 1
                #expect(!opens(Base64URL.encode(changed)))
            }
        }
    }

    @Test("A value sealed for another purpose or context is not a secret")
    func otherPurpose() throws {
        let context = account.canonicalText
        let sealed = try Seal(purpose: "draft seal", keys: keys).seal(Data(count: 20), context: context)
        #expect(factor.secret(in: sealed, of: account) == nil)
        let elsewhere = try Seal(purpose: SealedOneTimePasswords.storedPurpose, keys: keys).seal(
            Data(count: 20), context: "another")
        #expect(factor.secret(in: elsewhere, of: account) == nil)
    }

    @Test("The codes of the previous, current and next step are accepted, and no others")
    func window() throws {
        let now = OneTimeCode.step(at: morning)
        let (secret, stored) = try makeSecret(around: now)
        for offset in -3...3 {
            let step = try factor.step(of: code(secret, now + offset), for: stored, of: account, after: 0, at: morning)
            #expect(step == (abs(offset) <= 1 ? now + offset : nil), "\(offset)")
        }
    }

    @Test("A code is not accepted twice, and no code from before the last accepted step is accepted")
    func replay() throws {
        let now = OneTimeCode.step(at: morning)
        let (secret, stored) = try makeSecret(around: now)
        let current = try code(secret, now)
        #expect(factor.step(of: current, for: stored, of: account, after: now, at: morning) == nil)
        #expect(factor.step(of: current, for: stored, of: account, after: now + 1, at: morning) == nil)
        #expect(factor.step(of: current, for: stored, of: account, after: now - 1, at: morning) == now)
        #expect(try factor.step(of: code(secret, now - 1), for: stored, of: account, after: now, at: morning) == nil)
    }

    @Test("A code may contain spaces")
    func spaces() throws {
        let now = OneTimeCode.step(at: morning)
        let (secret, stored) = try makeSecret(around: now)
        let current = try code(secret, now)
        #expect(
            factor.step(
                of: " \(current.prefix(3)) \(current.suffix(3))", for: stored, of: account, after: 0, at: morning)
                == now)
    }

    @Test(
        "A text without exactly six ASCII digits is not a code",
        arguments: ["", "1", "12345", "1234567", "abcdef", "１２３４５６", "-12345", "12345\u{0}"])
    func rubbish(code: String) throws {
        let stored = try factor.stored(try makeSecret(), of: account)
        #expect(factor.step(of: code, for: stored, of: account, after: 0, at: morning) == nil)
    }

    /// Creates a secret whose codes around the step all differ. Of a million codes, two are sometimes equal.
    private func makeSecret(around step: Int) throws -> (OneTimeSecret, stored: String) {
        while true {
            let secret = try makeSecret()
            let codes = try (-5...5).map { try code(secret, step + $0) }
            if Set(codes).count == codes.count { return (secret, try factor.stored(secret, of: account)) }
        }
    }

    private func makeSecret() throws -> OneTimeSecret { try factor.makeSecret(for: account, in: session, at: morning) }

    private func pending(_ sealed: String, after seconds: TimeInterval = 0) -> OneTimeSecret? {
        factor.pendingSecret(sealed, for: account, in: session, at: morning.addingTimeInterval(seconds))
    }

    private func unbound(_ secret: OneTimeSecret) throws -> String { try secret.unbound(keys: keys) }

    private func code(_ secret: OneTimeSecret, _ step: Int) throws -> String {
        String(decoding: OneTimeCode.code(of: try #require(Base32.decode(secret.base32)), step: step), as: UTF8.self)
    }
}

@Suite("Recovery codes")
struct RecoveryCodesTests {
    private let factor: SealedOneTimePasswords
    private let codes: RecoveryCodes

    init() throws {
        factor = SealedOneTimePasswords(keys: try keyRing())
        codes = factor.makeRecoveryCodes()
    }

    @Test("An account gets ten codes of 80 random bits each, in groups of four characters")
    func made() {
        #expect(Set(codes.codes).count == 10)
        for code in codes.codes { #expect(code.wholeMatch(of: /[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/) != nil) }
        #expect(Set(codes.hashes).count == 10)
    }

    @Test("Each code matches its hash, and the hash does not contain the code")
    func found() {
        for (code, hash) in zip(codes.codes, codes.hashes) {
            #expect(factor.recoveryHash(of: code, among: codes.hashes) == hash)
            #expect(!hash.contains(code) && !hash.contains(code.replacing("-", with: "")))
        }
    }

    @Test("A code may be typed in lowercase, without hyphens, or with spaces")
    func typed() throws {
        let code = try #require(codes.codes.first), hash = try #require(codes.hashes.first)
        let bare = code.replacing("-", with: "")
        for text in [
            code.lowercased(), bare, bare.lowercased(), " \(code) ", code.replacing("-", with: " "),
            code.replacing("-", with: " - "),
        ] {
            #expect(factor.recoveryHash(of: text, among: codes.hashes) == hash)
        }
    }

    @Test("A used or unknown code is not found")
    func unknown() throws {
        let code = try #require(codes.codes.first)
        #expect(factor.recoveryHash(of: code, among: Array(codes.hashes.dropFirst())) == nil)
        #expect(factor.recoveryHash(of: factor.makeRecoveryCodes().codes[0], among: codes.hashes) == nil)
        for text in [
            "", "-", "AAAA", code + "A", String(code.dropLast()), code.replacing("-", with: "0"),
            String(repeating: "A", count: 5000),
        ] {
            #expect(factor.recoveryHash(of: text, among: codes.hashes) == nil)
        }
    }

    @Test("Recovery codes do not depend on the keys")
    func withoutKeys() throws {
        let other = SealedOneTimePasswords(keys: try keyRing())
        #expect(other.recoveryHash(of: codes.codes[0], among: codes.hashes) == codes.hashes[0])
    }
}

@Suite("Base32")
struct Base32Tests {
    @Test(
        "The encoding matches RFC 4648, section 10, without padding",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func vectors(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        #expect(Base32.decode(encoded) == Array(text.utf8))
    }

    @Test(
        "Decoding rejects every text that encoding cannot produce",
        arguments: ["M", "MZX", "MZXW6Y", "MZ", "my", "MY======", "0", "M Y", "É"])
    func rubbish(text: String) {
        #expect(Base32.decode(text) == nil)
    }

    @Test("Decoding an encoded byte sequence returns the same bytes")
    func random() {
        var generator = TestSeed.generator()
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(Base32.decode(Base32.encode(bytes)) == bytes, "AVIARY_SEED=\(TestSeed.value), \(count) bytes")
        }
    }
}

extension OneTimeSecret {
    /// Returns the secret as an earlier version stored it: sealed with the same context for all accounts.
    func unbound(keys: KeyRing) throws -> String {
        let purpose = SealedOneTimePasswords.unboundPurpose
        return try Seal(purpose: purpose, keys: keys).seal(try #require(Base32.decode(base32)), context: purpose)
    }
}
