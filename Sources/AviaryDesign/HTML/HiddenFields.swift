/// What a form carries along unseen.
struct HiddenFields: Component {
    var csrf: String?
    var fields: [(String, String)] = []

    func render(into html: inout HTML) {
        if let csrf { write("csrf", csrf, into: &html) }
        for (name, value) in fields { write(name, value, into: &html) }
    }

    private func write(_ name: String, _ value: String, into html: inout HTML) {
        html.void("input", .type("hidden"), .name(name), .value(value))
    }
}
