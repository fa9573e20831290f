import AccountsFeature
import Foundation
import Testing

@Suite("Links for authenticator apps")
struct AuthenticatorLinkTests {
    @Test("The link contains the application, the account, the secret and the code parameters")
    func plain() {
        let link = AuthenticatorLink(application: "Zoo", account: "ada", secret: "JBSWY3DPEHPK3PXP")
        #expect(
            link.text == "otpauth://totp/Zoo:ada?secret=JBSWY3DPEHPK3PXP&issuer=Zoo&algorithm=SHA1&digits=6&period=30")
    }

    @Test(
        "Names with special characters are percent-encoded without loss",
        arguments: [
            ("My Zoo & Söhne", "ada+test@example.org"), ("50 % off?", "a/b#c"), ("動物園", "ø=\"1\""), ("a\r\nb", "<x>"),
        ])
    func encoded(application: String, account: String) throws {
        let link = AuthenticatorLink(application: application, account: account, secret: "JBSWY3DPEHPK3PXP")
        #expect(link.text.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        #expect(!link.text.contains("+"))
        let parts = try #require(URLComponents(string: link.text))
        #expect(parts.scheme == "otpauth" && parts.host == "totp")
        #expect(parts.path == "/\(application):\(account)")
        let query = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value) })
        #expect(
            query == [
                "secret": "JBSWY3DPEHPK3PXP", "issuer": application, "algorithm": "SHA1", "digits": "6", "period": "30",
            ])
    }

    @Test("A colon in a name becomes a space")
    func colons() {
        let link = AuthenticatorLink(application: "Zoo: north", account: "a:b", secret: "AAAA")
        #expect(link.text.hasPrefix("otpauth://totp/Zoo%20%20north:a%20b?"))
    }

    @Test("The secret is shown in groups of four characters")
    func grouped() {
        #expect(
            AuthenticatorLink(application: "Zoo", account: "ada", secret: "JBSWY3DPEHPK3PXPAB").groupedSecret
                == "JBSW Y3DP EHPK 3PXP AB")
        #expect(AuthenticatorLink(application: "Zoo", account: "ada", secret: "").groupedSecret == "")
    }
}
