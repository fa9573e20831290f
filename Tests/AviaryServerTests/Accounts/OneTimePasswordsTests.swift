import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryServer

@Suite("Time-based one-time passwords")
struct OneTimePasswordsTests {
    private let keys: KeyRing
    private let factor: SealedOneTimePasswords

    init() throws {
        keys = try keyRing()
        factor = SealedOneTimePasswords(keys: keys)
    }

    @Test(
        "They are those of RFC 6238, appendix B: the last six digits of its eight",
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

    @Test("A secret has 160 random bits, as an authenticator takes it")
    func secret() throws {
        let secret = try factor.makeSecret()
        #expect(secret.base32.wholeMatch(of: /[A-Z2-7]{32}/) != nil)
        #expect(Base32.decode(secret.base32)?.count == 20)
        #expect(factor.reveal(secret.sealed) == secret.base32)
        #expect(try factor.makeSecret().base32 != secret.base32)
    }

    @Test("What the account keeps tells nothing of the secret, and another server cannot open it")
    func sealed() throws {
        let secret = try factor.makeSecret()
        let bytes = try #require(Base64URL.decode(secret.sealed))
        #expect(Data(bytes).range(of: Data(try #require(Base32.decode(secret.base32)))) == nil)
        #expect(SealedOneTimePasswords(keys: try keyRing()).reveal(secret.sealed) == nil)
        #expect(factor.step(of: "000000", for: "rubbish", after: 0, at: morning) == nil)
    }

    @Test("A change of any byte is refused")
    func flipped() throws {
        let bytes = try #require(Base64URL.decode(try factor.makeSecret().sealed))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(factor.reveal(Base64URL.encode(changed)) == nil)
        }
    }

    @Test("Something else that this server sealed is no secret")
    func otherPurpose() throws {
        let sealed = try Seal(purpose: "draft seal", keys: keys).seal(
            Data(count: 20), context: SealedOneTimePasswords.purpose)
        #expect(factor.reveal(sealed) == nil)
        let elsewhere = try Seal(purpose: SealedOneTimePasswords.purpose, keys: keys).seal(
            Data(count: 20), context: "another")
        #expect(factor.reveal(elsewhere) == nil)
    }

    @Test("The code of now, of the step before and of the one after are accepted, others are not")
    func window() throws {
        let now = OneTimeCode.step(at: morning)
        let secret = try makeSecret(around: now)
        for offset in -3...3 {
            let step = try factor.step(of: code(secret, now + offset), for: secret.sealed, after: 0, at: morning)
            #expect(step == (abs(offset) <= 1 ? now + offset : nil), "\(offset)")
        }
    }

    @Test("No code is accepted twice, nor one of before the last")
    func replay() throws {
        let now = OneTimeCode.step(at: morning)
        let secret = try makeSecret(around: now)
        let current = try code(secret, now)
        #expect(factor.step(of: current, for: secret.sealed, after: now, at: morning) == nil)
        #expect(factor.step(of: current, for: secret.sealed, after: now + 1, at: morning) == nil)
        #expect(factor.step(of: current, for: secret.sealed, after: now - 1, at: morning) == now)
        #expect(try factor.step(of: code(secret, now - 1), for: secret.sealed, after: now, at: morning) == nil)
    }

    @Test("It may be typed with spaces")
    func spaces() throws {
        let now = OneTimeCode.step(at: morning)
        let secret = try makeSecret(around: now)
        let current = try code(secret, now)
        #expect(
            factor.step(of: " \(current.prefix(3)) \(current.suffix(3))", for: secret.sealed, after: 0, at: morning)
                == now)
    }

    @Test(
        "What has not six digits is no code",
        arguments: ["", "1", "12345", "1234567", "abcdef", "１２３４５６", "-12345", "12345\u{0}"])
    func rubbish(code: String) throws {
        #expect(factor.step(of: code, for: try factor.makeSecret().sealed, after: 0, at: morning) == nil)
    }

    /// A secret whose codes around the step all differ: of a million codes two are now and then the same.
    private func makeSecret(around step: Int) throws -> OneTimeSecret {
        while true {
            let secret = try factor.makeSecret()
            let codes = try (-5...5).map { try code(secret, step + $0) }
            if Set(codes).count == codes.count { return secret }
        }
    }

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

    @Test("There are ten, of 80 random bits each, in groups that can be typed")
    func made() {
        #expect(Set(codes.codes).count == 10)
        for code in codes.codes { #expect(code.wholeMatch(of: /[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/) != nil) }
        #expect(Set(codes.hashes).count == 10)
    }

    @Test("Each is found among the hashes, and what is stored does not tell it")
    func found() {
        for (code, hash) in zip(codes.codes, codes.hashes) {
            #expect(factor.recoveryHash(of: code, among: codes.hashes) == hash)
            #expect(!hash.contains(code) && !hash.contains(code.replacing("-", with: "")))
        }
    }

    @Test("It may be typed in small letters, without hyphens, with spaces")
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

    @Test("One that was used, or never was one, is not found")
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

    @Test("They do not depend on keys: a rotation leaves them good")
    func withoutKeys() throws {
        let other = SealedOneTimePasswords(keys: try keyRing())
        #expect(other.recoveryHash(of: codes.codes[0], among: codes.hashes) == codes.hashes[0])
    }
}

@Suite("Base32")
struct Base32Tests {
    @Test(
        "It is that of RFC 4648, section 10, without padding",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func vectors(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        #expect(Base32.decode(encoded) == Array(text.utf8))
    }

    @Test("Only what it gives is taken", arguments: ["M", "MZX", "MZXW6Y", "MZ", "my", "MY======", "0", "M Y", "É"])
    func rubbish(text: String) {
        #expect(Base32.decode(text) == nil)
    }

    @Test("Any bytes come back")
    func random() {
        var generator = TestSeed.generator()
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(Base32.decode(Base32.encode(bytes)) == bytes, "AVIARY_SEED=\(TestSeed.value), \(count) bytes")
        }
    }
}
