import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("Sealed drafts")
struct DraftSealerTests {
    private let sealer: DraftSealer
    private let draft = AviaryAdminTests.draft(text: "Okapi 🦒\nwith lines")
    private let sealed: String

    init() throws {
        sealer = DraftSealer(try keyRing())
        sealed = try sealer.seal(draft, cookie: "d-1.a")
    }

    @Test("A sealed draft opens unchanged")
    func roundTrip() {
        #expect(open(sealed) == draft)
    }

    @Test("A sealed draft is encrypted, and sealing it twice gives different texts")
    func opaque() throws {
        let bytes = try #require(Base64URL.decode(sealed))
        #expect(Data(bytes).range(of: Data("Okapi".utf8)) == nil)
        #expect(Data(bytes).range(of: Data("Animal".utf8)) == nil)
        #expect(try sealer.seal(draft, cookie: "d-1.a") != sealed)
    }

    @Test("A sealed draft with any changed byte is rejected", arguments: [UInt8(0x01), 0x80, 0xFF])
    func flipped(mask: UInt8) throws {
        let bytes = try #require(Base64URL.decode(sealed))
        let opened = bytes.indices.filter { index in
            var changed = bytes
            changed[index] ^= mask
            return open(Base64URL.encode(changed)) != nil
        }
        #expect(opened.isEmpty)
    }

    @Test("A truncated or extended sealed draft is rejected")
    func lengths() throws {
        let bytes = try #require(Base64URL.decode(sealed))
        let opened = bytes.indices.filter { open(Base64URL.encode(Array(bytes.prefix($0)))) != nil }
        #expect(opened.isEmpty)
        #expect(open(Base64URL.encode(bytes + [0])) == nil)
        #expect(open(sealed + "=") == nil)
        #expect(open("no base64!") == nil)
    }

    @Test("A sealed draft is rejected under another cookie's name")
    func otherName() {
        #expect(sealer.open(sealed, cookie: "d-1.b", user: "ada", at: morning) == nil)
    }

    @Test("A sealed draft is rejected for another user")
    func otherUser() {
        #expect(sealer.open(sealed, cookie: "d-1.a", user: "eve", at: morning) == nil)
    }

    @Test("A cookie name and a user that match only when they are joined are rejected")
    func boundary() throws {
        let sealed = try sealer.seal(AviaryAdminTests.draft(user: "bc"), cookie: "a")
        #expect(sealer.open(sealed, cookie: "ab", user: "c", at: morning) == nil)
    }

    @Test("A sealed draft opens until it expires")
    func expired() {
        #expect(sealer.open(sealed, cookie: "d-1.a", user: "ada", at: draft.expiresAt.addingTimeInterval(-1)) != nil)
        #expect(sealer.open(sealed, cookie: "d-1.a", user: "ada", at: draft.expiresAt) == nil)
    }

    @Test("A draft sealed with another key is rejected, also when the key identifiers are equal")
    func unknownKey() throws {
        let (one, two) = (try TestDirectory(), try TestDirectory())
        for (directory, byte) in [(one, UInt8(1)), (two, 2)] {
            try FileManager.default.createDirectory(atPath: directory.path("keys"), withIntermediateDirectories: true)
            _ = try directory.file("keys/00000001.key", [UInt8](repeating: byte, count: 32))
        }
        let sealed = try DraftSealer(KeyRing(directory: one.path("keys"))).seal(draft, cookie: "d-1.a")
        #expect(open(sealed) == nil)
        let other = DraftSealer(try KeyRing(directory: two.path("keys")))
        #expect(other.open(sealed, cookie: "d-1.a", user: "ada", at: morning) == nil)
    }

    @Test("After a rotation, new drafts use the new key, and old drafts still open")
    func rotation() throws {
        let directory = try TestDirectory()
        let old = try DraftSealer(KeyRing(directory: directory.path("keys"), now: { morning })).seal(
            draft, cookie: "d-1.a")
        let later = morning.addingTimeInterval(60)
        _ = try KeyFiles(directory: directory.path("keys")).create(KeyID(at: later))
        let rotated = DraftSealer(try KeyRing(directory: directory.path("keys"), now: { later.addingTimeInterval(60) }))
        #expect(rotated.open(old, cookie: "d-1.a", user: "ada", at: morning) == draft)
        let new = try rotated.seal(draft, cookie: "d-1.a")
        #expect(Base64URL.decode(new).map { Array($0[1..<5]) } == KeyID(at: later).bytes)
    }

    private func open(_ text: String) -> Draft? {
        sealer.open(text, cookie: "d-1.a", user: "ada", at: morning)
    }
}
