import AviaryDesign

/// The tags of finished markup, in their order.
struct Tags {
    let names: [String]
    let ids: [String]
    /// Elements that were closed wrongly or never.
    let unbalanced: [String]

    private static let voids: Set<String> = ["input", "meta", "link", "br", "path"]

    init(_ text: String) {
        var names: [String] = [], ids: [String] = [], open: [String] = [], unbalanced: [String] = []
        for match in text.matches(of: /<(\/?)([a-z0-9]+)((?:[^>"]|"[^"]*")*)>/) {
            let name = String(match.2)
            names.append(match.1 + name)
            if match.1.isEmpty {
                ids += match.3.matches(of: /\bid="([^"]*)"/).map { String($0.1) }
                if !Self.voids.contains(name) { open.append(name) }
            } else if open.popLast() != name {
                unbalanced.append(name)
            }
        }
        self.names = names
        self.ids = ids
        self.unbalanced = unbalanced + open
    }
}

func rendered(_ component: some Component) -> String {
    var html = HTML()
    html.render(component)
    return String(decoding: html.bytes, as: UTF8.self)
}
