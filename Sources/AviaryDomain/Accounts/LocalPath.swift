/// A path of this server, with its query: what a redirect may lead to.
///
/// Browsers take `//host` and `/\\host` for another server, and drop tabs and line breaks before they look.
package struct LocalPath: Sendable, Hashable {
    package let text: String

    /// Creates a path from a text; nil when the text could lead to another site.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.longest else { return nil }
        if bytes.count > 1, bytes[1] == UInt8(ascii: "/") || bytes[1] == UInt8(ascii: "\\") { return nil }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else { return nil }
        self.text = text
    }

    private static let longest = 2000
}
