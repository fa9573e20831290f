/// Decides which addresses may stand in markup.
enum Link {
    /// Where a browser, or our own scripts, would follow the value.
    static func isLink(_ name: StaticString) -> Bool {
        switch name.description {
        case "href", "src", "action", "formaction", "data-draft", "data-address", "data-choices": true
        default: false
        }
    }

    /// The address itself when it stays on this site (or is a plain web link), else `#`.
    static func safe(_ address: String, in name: StaticString) -> String {
        isLocal(address) || (name.description == "href" && isWeb(address)) ? address : "#"
    }

    static func isLocal(_ address: String) -> Bool {
        var bytes = address.utf8.makeIterator()
        switch bytes.next() {
        case UInt8(ascii: "#"), UInt8(ascii: "?"):
            return true
        case UInt8(ascii: "/"):
            guard let second = bytes.next() else { return true }
            // Browsers read "//" and "/\" as another host, and drop tabs and newlines before they look.
            return second > 0x20 && second != UInt8(ascii: "/") && second != UInt8(ascii: "\\")
        default:
            return false
        }
    }

    private static func isWeb(_ address: String) -> Bool {
        starts(address, with: "https://") || starts(address, with: "http://")
    }

    private static func starts(_ address: String, with scheme: String) -> Bool {
        address.utf8.starts(with: scheme.utf8)
    }
}
