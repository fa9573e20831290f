import AviaryDesign

/// A strict parser for generated markup, which detects data that broke out of its place.
struct Markup {
    struct Element: Equatable {
        var name: String
        var attributes: [(name: String, value: String)]

        subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

        /// The part of the element that data must never change: its name and the names of its attributes.
        var shape: String { ([name] + attributes.map(\.name)).joined(separator: " ") }

        static func == (left: Element, right: Element) -> Bool { left.shape == right.shape }
    }

    private(set) var elements: [Element] = []
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "!") { continue }
            readElement()
        }
    }

    init(_ component: some Component) {
        var html = HTML()
        html.render(component)
        self.init(html.bytes)
    }

    func first(_ name: String, where matches: (Element) -> Bool = { _ in true }) -> Element? {
        elements.first { $0.name == name && matches($0) }
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    private mutating func readElement() {
        var element = Element(name: read { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ">") }, attributes: [])
        while rest.first == UInt8(ascii: " ") {
            rest = rest.dropFirst()
            let name = read { ![UInt8(ascii: "="), UInt8(ascii: " "), UInt8(ascii: ">")].contains($0) }
            var value = ""
            if rest.starts(with: #"=""#.utf8) {
                rest = rest.dropFirst(2)
                value = read { $0 != UInt8(ascii: "\"") }
                rest = rest.dropFirst()
            }
            element.attributes.append((name, value))
        }
        elements.append(element)
    }

    private mutating func read(while matches: (UInt8) -> Bool) -> String {
        let run = rest.prefix(while: matches)
        rest = rest[run.endIndex...]
        return String(decoding: run, as: UTF8.self)
    }
}

/// Returns generated markup as text.
func rendered(_ write: (inout HTML) -> Void) -> String {
    var html = HTML()
    write(&html)
    return String(decoding: html.bytes, as: UTF8.self)
}
