/// What an authenticator reads, from a QR code or by a tap on a phone:
/// `otpauth://totp/Zoo:ada?secret=…&issuer=Zoo&algorithm=SHA1&digits=6&period=30`.
package struct AuthenticatorLink: Sendable, Hashable {
    package let text: String
    /// For whoever types it: in groups of four characters.
    package let groupedSecret: String

    /// - Parameters:
    ///   - application: under which name the authenticator shows it.
    ///   - secret: in Base32.
    package init(application: String, account: String, secret: String) {
        // The colon stands between the two, also where it is encoded.
        let issuer = Self.encode(application.replacing(":", with: " "))
        let name = Self.encode(account.replacing(":", with: " "))
        // Defaults are named too: some authenticators have others.
        text =
            "otpauth://totp/\(issuer):\(name)?secret=\(Self.encode(secret))&issuer=\(issuer)&algorithm=SHA1&digits=6&period=30"
        groupedSecret = stride(from: 0, to: secret.count, by: 4)
            .map { String(secret.dropFirst($0).prefix(4)) }.joined(separator: " ")
    }

    /// All but the characters that stand for themselves everywhere in a URL (RFC 3986, section 2.3). A space is `%20`:
    /// authenticators show a `+`.
    private static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
