import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("A token is worth something in its session alone")
struct CSRFTokensTests {
    private let tokens: CSRFTokens
    private let session: Session

    init() throws {
        tokens = CSRFTokens(try keyRing())
        session = try #require(Session(cookie: Session.begin().cookieValue))
    }

    @Test("It is accepted in its session, as often as it is sent")
    func valid() {
        let token = tokens.token(for: session)
        #expect(tokens.isValid(token, for: session))
        #expect(tokens.isValid(token, for: session))
    }

    @Test("Each page carries another one, with nothing in common that compression could tell")
    func masked() throws {
        let bytes = try (0..<8).map { _ in try #require(Base64URL.decode(tokens.token(for: session))) }
        #expect(Set(bytes).count == 8)
        for index in 0..<64 {
            // Eight random bytes are all equal once in 2^56.
            #expect(Set(bytes.map { $0[index] }).count > 1)
        }
    }

    @Test("Another session's is refused")
    func otherSession() throws {
        let other = try #require(Session(cookie: Session.begin().cookieValue))
        #expect(!tokens.isValid(tokens.token(for: other), for: session))
    }

    @Test("One whose session has only begun with this request is refused: no page can have carried it")
    func newSession() {
        let new = Session.begin()
        #expect(!tokens.isValid(tokens.token(for: new), for: new))
    }

    @Test("Another server's is refused")
    func otherKey() throws {
        #expect(!tokens.isValid(CSRFTokens(try keyRing()).token(for: session), for: session))
    }

    @Test("A change of any byte is refused")
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
        "Anything else is refused",
        arguments: ["", "x", String(repeating: "A", count: 86), String(repeating: "A", count: 87)])
    func rubbish(token: String) {
        #expect(!tokens.isValid(token, for: session))
    }
}
