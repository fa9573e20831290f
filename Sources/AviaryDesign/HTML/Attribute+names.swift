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
