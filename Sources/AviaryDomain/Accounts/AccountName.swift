/// The name by which somebody signs in: 1 to 64 of the letters a to z, digits and `.`, `_`, `-`, `@`, `+`, the first a
/// letter or a digit. Typed in capitals it is the same name.
package struct AccountName: Sendable, Hashable {
    package static let longest = 64

    package let text: String

    /// The address of the form for a new account.
    private static let taken = "new"

    /// Creates a name from typed text; nil when the text is not a valid name.
    package init?(_ typed: String) {
        // Of ASCII only: the sign for kelvin, too, would become a k.
        let text = String(decoding: typed.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
        guard (1...Self.longest).contains(text.utf8.count), text != Self.taken,
            // In the address of the account's page `..` would lead elsewhere, and a command takes a hyphen for a flag.
            text.utf8.first.map(Self.isLetterOrDigit) == true,
            text.utf8.allSatisfy({ byte in
                Self.isLetterOrDigit(byte)
                    || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "+")]
                        .contains(byte)
            })
        else { return nil }
        self.text = text
    }

    package static var rule: String {
        localized(
            "Use up to \(longest) of the letters a to z, digits, and . _ - @ +, a letter or digit first, and not “\(taken)” alone"
        )
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
