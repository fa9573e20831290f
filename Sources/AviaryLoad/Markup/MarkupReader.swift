/// Reads HTML tag by tag. It knows only what our own pages need and never fails: what it does not understand is text.
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

    /// The place of the `>` that ends a tag; one in quotes does not.
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
