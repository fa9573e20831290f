/// An attribute of an HTML element, with a literal name and a value from any source.
package struct Attribute: Sendable {
    private enum Value: Sendable {
        case omitted
        case bare
        case text(String)
    }

    private let name: StaticString
    private let value: Value

    /// Creates an attribute. A link that could leave the site or run a script becomes `#`.
    package init(_ name: StaticString, _ value: String) {
        self.name = name
        self.value = .text(SafeURL.isLink(name) ? SafeURL.safe(value, in: name) : value)
    }

    /// Creates an attribute, which is omitted when the value is nil.
    package init(_ name: StaticString, _ value: String?) {
        if let value {
            self.init(name, value)
        } else {
            self.init(name, .omitted)
        }
    }

    private init(_ name: StaticString, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// Returns the `href` of an authenticator app's link, which contains a secret.
    ///
    /// Only links of the scheme `otpauth` are allowed, which open an app on the same device and no other site; any
    /// other link becomes `#`.
    package static func authenticator(_ link: String) -> Attribute {
        Attribute("href", Value.text(link.utf8.starts(with: "otpauth://totp/".utf8) ? link : "#"))
    }

    /// Returns an attribute without a value, which is present when `on` is true.
    package static func flag(_ name: StaticString, _ on: Bool = true) -> Attribute {
        Attribute(name, on ? .bare : .omitted)
    }

    func write(into html: inout HTML) {
        if case .omitted = value { return }
        html.literal(" ")
        html.literal(name)
        guard case .text(let text) = value else { return }
        html.literal("=\"")
        html.text(text)
        html.literal("\"")
    }
}

extension Attribute {
    package static func id(_ value: String) -> Attribute { Attribute("id", value) }
    package static func `class`(_ value: String) -> Attribute { Attribute("class", value) }
    package static func href(_ value: String) -> Attribute { Attribute("href", value) }
    package static func src(_ value: String) -> Attribute { Attribute("src", value) }
    package static func action(_ value: String) -> Attribute { Attribute("action", value) }
    package static func formAction(_ value: String) -> Attribute { Attribute("formaction", value) }
    package static func method(_ value: String) -> Attribute { Attribute("method", value) }
    package static func name(_ value: String) -> Attribute { Attribute("name", value) }
    package static func value(_ value: String) -> Attribute { Attribute("value", value) }
    package static func type(_ value: String) -> Attribute { Attribute("type", value) }
    package static func `for`(_ value: String) -> Attribute { Attribute("for", value) }
    package static func form(_ value: String) -> Attribute { Attribute("form", value) }
    package static func role(_ value: String) -> Attribute { Attribute("role", value) }
    package static func label(_ value: String) -> Attribute { Attribute("aria-label", value) }
    package static func labelledBy(_ value: String) -> Attribute { Attribute("aria-labelledby", value) }
    package static func describedBy(_ value: String?) -> Attribute { Attribute("aria-describedby", value) }
}

/// The check of the addresses in markup.
enum SafeURL {
    /// Returns whether a browser or one of Aviary's scripts follows the value of the attribute.
    static func isLink(_ name: StaticString) -> Bool {
        switch name.description {
        case "href", "src", "action", "formaction", "data-draft", "data-address", "data-choices": true
        default: false
        }
    }

    /// Returns the address if it stays on this site or, in an `href`, is an HTTP(S) link; otherwise `#`.
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
            // Browsers treat "//" and "/\" as the start of another host, and remove tabs and newlines first.
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
