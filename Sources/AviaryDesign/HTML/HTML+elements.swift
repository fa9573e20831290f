extension HTML {
    /// Appends an element with its content.
    package mutating func element(
        _ name: StaticString, _ attributes: Attribute..., content: (inout HTML) throws -> Void
    ) rethrows {
        open(name, attributes)
        try content(&self)
        literal("</")
        literal(name)
        literal(">")
    }

    /// Appends an element that holds nothing but text.
    package mutating func element(_ name: StaticString, _ attributes: Attribute..., text: String) {
        open(name, attributes)
        self.text(text)
        literal("</")
        literal(name)
        literal(">")
    }

    /// Appends an element that has no content, such as `input` or `meta`.
    package mutating func void(_ name: StaticString, _ attributes: Attribute...) {
        open(name, attributes)
    }

    package mutating func render(_ component: some Component) {
        component.render(into: &self)
    }

    private mutating func open(_ name: StaticString, _ attributes: [Attribute]) {
        literal("<")
        literal(name)
        for attribute in attributes { attribute.write(into: &self) }
        literal(">")
    }
}
