/// An opening tag. Attributes are looked up when asked for: most tags of a page interest nobody.
struct Tag: Sendable {
    let name: String
    private let attributes: ArraySlice<UInt8>

    /// - Parameter source: what stands between the angle brackets.
    init(source: ArraySlice<UInt8>) {
        let end = source.firstIndex { Self.isSpace($0) || $0 == UInt8(ascii: "/") } ?? source.endIndex
        name = String(decoding: source[..<end], as: UTF8.self).lowercased()
        attributes = source[end...]
    }

    /// The attribute's value, unescaped; empty for one without a value, nil for one that is not there.
    subscript(wanted: String) -> String? {
        var rest = attributes
        while true {
            rest = rest.drop { Self.isSpace($0) || $0 == UInt8(ascii: "/") }
            guard !rest.isEmpty else { return nil }
            let name = rest.prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/") }
            rest = rest[name.endIndex...].drop(while: Self.isSpace)
            var value: ArraySlice<UInt8> = []
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst().drop(while: Self.isSpace)
                if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest[value.endIndex...].dropFirst()
                } else {
                    value = rest.prefix { !Self.isSpace($0) }
                    rest = rest[value.endIndex...]
                }
            } else if name.isEmpty {
                return nil
            }
            if name.elementsEqual(wanted.utf8) { return CharacterReferences.resolve(value) }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }
}
