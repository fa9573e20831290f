/// What a list can be narrowed by, as its panel of filters offers it.
enum FilterPanel {
    /// The boxes of the panel, each as the part of an address that ticking it leads to.
    static func values(in body: [UInt8]) -> [String] {
        var markup = MarkupReader(body)
        var values: [String] = []
        while let token = markup.next() {
            guard case .open(let tag) = token, tag.name == "input", tag["type"] == "checkbox",
                let name = tag["name"], name.hasPrefix("filter."), let value = tag["value"]
            else { continue }
            values.append(String(decoding: FormEncoding.encode([FormField(name: name, value: value)]), as: UTF8.self))
        }
        return values
    }
}
