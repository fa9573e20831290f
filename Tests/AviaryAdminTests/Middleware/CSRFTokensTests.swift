import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("CSRF tokens")
struct CSRFTokensTests {
    private let tokens: CSRFTokens
    private let session: Session

    init() throws {
        tokens = CSRFTokens(try keyRing())
        session = try #require(Session(cookie: Session.begin().cookieValue))
    }

    @Test("A token is valid in its session and can be used repeatedly")
    func valid() {
        let token = tokens.token(for: session)
        #expect(tokens.isValid(token, for: session))
        #expect(tokens.isValid(token, for: session))
    }

    @Test("Each token is masked with new random bytes")
    func masked() throws {
        let bytes = try (0..<8).map { _ in try #require(Base64URL.decode(tokens.token(for: session))) }
        #expect(Set(bytes).count == 8)
        for index in 0..<64 {
            // Eight random bytes are all equal once in 2^56.
            #expect(Set(bytes.map { $0[index] }).count > 1)
        }
    }

    @Test("No mask is used twice, not even by threads that take one at the same time")
    func maskedOnce() async {
        let all = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { (0..<300).map { _ in tokens.token(for: session) } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(all).count == 1200)
    }

    @Test("A token of another session is rejected")
    func otherSession() throws {
        let other = try #require(Session(cookie: Session.begin().cookieValue))
        #expect(!tokens.isValid(tokens.token(for: other), for: session))
    }

    @Test("A token of a session that begins with the same request is rejected")
    func newSession() {
        let new = Session.begin()
        #expect(!tokens.isValid(tokens.token(for: new), for: new))
    }

    @Test("A token of another server is rejected")
    func otherKey() throws {
        #expect(!tokens.isValid(CSRFTokens(try keyRing()).token(for: session), for: session))
    }

    @Test("A token with any changed byte is rejected")
    func flipped() throws {
        let bytes = try #require(Base64URL.decode(tokens.token(for: session)))
        let accepted = bytes.indices.filter { index in
            var changed = bytes
            changed[index] ^= 1
            return tokens.isValid(Base64URL.encode(changed), for: session)
        }
        #expect(accepted.isEmpty)
    }

    @Test(
        "A malformed token is rejected",
        arguments: ["", "x", String(repeating: "A", count: 86), String(repeating: "A", count: 87)])
    func rubbish(token: String) {
        #expect(!tokens.isValid(token, for: session))
    }
}
