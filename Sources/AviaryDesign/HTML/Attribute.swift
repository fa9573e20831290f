/// An attribute of an element: a name from the program, a value from anywhere.
package struct Attribute: Sendable {
    private enum Value: Sendable {
        case omitted
        case bare
        case text(String)
    }

    private let name: StaticString
    private let value: Value

    /// Links that could leave the site or run a script are replaced by `#`.
    package init(_ name: StaticString, _ value: String) {
        self.name = name
        self.value = .text(Link.isLink(name) ? Link.safe(value, in: name) : value)
    }

    /// Omits the attribute when there is no value.
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

    /// Where an authenticator takes a secret from. Leads to an app on the same device and to no other site; anything else
    /// is replaced by `#`.
    package static func authenticator(_ link: String) -> Attribute {
        Attribute("href", Value.text(link.utf8.starts(with: "otpauth://totp/".utf8) ? link : "#"))
    }

    /// An attribute without a value, present when it is on.
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
