/// A reader that splits HTML into tags and text.
///
/// It supports what Aviary's own pages need and never fails: it treats anything else as text.
struct MarkupReader: Sendable {
    enum Token: Sendable {
        case open(Tag)
        case close(name: String)
        case text(String)
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        position = 0
    }

    mutating func next() -> Token? {
        while position < bytes.endIndex {
            guard bytes[position] == UInt8(ascii: "<") else { return text() }
            let second = position + 1 < bytes.endIndex ? bytes[position + 1] : 0
            switch second {
            case UInt8(ascii: "/"):
                let end = endOfTag(from: position + 2)
                defer { position = min(end + 1, bytes.endIndex) }
                return .close(name: Tag(source: bytes[(position + 2)..<end]).name)
            case UInt8(ascii: "!"), UInt8(ascii: "?"):
                position = min(endOfTag(from: position + 2) + 1, bytes.endIndex)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                let end = endOfTag(from: position + 1)
                defer { position = min(end + 1, bytes.endIndex) }
                return .open(Tag(source: bytes[(position + 1)..<end]))
            default:
                return text()
            }
        }
        return nil
    }

    private mutating func text() -> Token {
        let start = position
        let rest = bytes[(start + 1)...]
        position = rest.firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
        return .text(CharacterReferences.resolve(bytes[start..<position]))
    }

    /// Returns the index of the `>` that ends a tag. A `>` in quotes does not end it.
    private func endOfTag(from start: Int) -> Int {
        var quote: UInt8?
        for index in start..<max(start, bytes.endIndex) {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return bytes.endIndex
    }
}

/// An opening tag.
///
/// The attributes are parsed on access, because most tags of a page are not used.
struct Tag: Sendable {
    let name: String
    private let attributes: ArraySlice<UInt8>

    /// Creates a tag.
    ///
    /// - Parameter source: The bytes between the angle brackets.
    init(source: ArraySlice<UInt8>) {
        let end = source.firstIndex { Self.isSpace($0) || $0 == UInt8(ascii: "/") } ?? source.endIndex
        name = String(decoding: source[..<end], as: UTF8.self).lowercased()
        attributes = source[end...]
    }

    /// Returns the unescaped value of an attribute; empty for an attribute without a value, nil for a missing
    /// attribute.
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

/// A decoder for character references such as `&amp;`.
enum CharacterReferences {
    private static let named: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]
    private static let longest = 10

    static func resolve(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let ampersand = rest.firstIndex(of: "&") {
            result.append(contentsOf: rest[..<ampersand])
            rest = rest[ampersand...]
            let name = rest.dropFirst().prefix(longest).prefix { $0 != ";" && $0 != "&" }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let scalar = scalar(Substring(name)) {
                result.append(scalar)
                rest = rest[name.endIndex...].dropFirst()
            } else {
                result.append("&")
                rest = rest.dropFirst()
            }
        }
        result.append(contentsOf: rest)
        return String(result)
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        if let scalar = named[name] { return scalar }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let code =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        return code.flatMap(Unicode.Scalar.init)
    }
}
