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
