/// The structure of a JSON text without its values. It is parsed in one pass over the bytes, because a form may
/// contain a million of them.
indirect enum JSONShape {
    case null
    case leaf
    case array([JSONShape])
    case object([(key: String, value: JSONShape)])

    /// Parses a text; nil unless the text is exactly one JSON value (RFC 8259).
    init?(_ text: String) {
        var text = text
        guard
            let shape = text.withUTF8({ bytes -> JSONShape? in
                var reader = JSONShapeReader(bytes)
                return reader.whole()
            })
        else { return nil }
        self = shape
    }
}

private struct JSONShapeReader {
    /// The greatest nesting depth, which is that of Foundation.
    private static let deepest = 512

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    mutating func whole() -> JSONShape? {
        guard let shape = value(depth: 0) else { return nil }
        skipSpace()
        return position == bytes.count ? shape : nil
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func value(depth: Int) -> JSONShape? {
        guard depth < Self.deepest else { return nil }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return text() == nil ? nil : .leaf
        case UInt8(ascii: "n"): return literal("null") ? .null : nil
        case UInt8(ascii: "t"): return literal("true") ? .leaf : nil
        case UInt8(ascii: "f"): return literal("false") ? .leaf : nil
        default: return number() ? .leaf : nil
        }
    }

    private mutating func object(depth: Int) -> JSONShape? {
        var members: [(key: String, value: JSONShape)] = []
        position += 1
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard let key = text(), take(":"), let value = value(depth: depth + 1) else { return nil }
            members.append((key, value))
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONShape? {
        var elements: [JSONShape] = []
        position += 1
        if take("]") { return .array([]) }
        repeat {
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    /// Reads a string and returns its content. Foundation decodes a string with escapes, which are rare in keys.
    private mutating func text() -> String? {
        guard current == UInt8(ascii: "\"") else { return nil }
        let first = position
        var hasEscapes = false
        position += 1
        while let byte = current, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { return nil }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                position += 1
                guard escape() else { return nil }
            } else {
                position += 1
            }
        }
        guard current != nil else { return nil }
        position += 1
        let content = String(
            decoding: UnsafeBufferPointer(rebasing: bytes[(first + 1)..<(position - 1)]), as: UTF8.self)
        guard hasEscapes else { return content }
        let whole = String(decoding: UnsafeBufferPointer(rebasing: bytes[first..<position]), as: UTF8.self)
        // An escape of half a surrogate pair is invalid.
        return try? JSONText.decode(String.self, whole)
    }

    private mutating func escape() -> Bool {
        switch current {
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let digit = current, isHexadecimal(digit) else { return false }
                position += 1
            }
            return true
        case .some(let byte) where Array("\"\\/bfnrt".utf8).contains(byte):
            position += 1
            return true
        default: return false
        }
    }

    private mutating func number() -> Bool {
        if current == UInt8(ascii: "-") { position += 1 }
        let first = position
        guard digits() > 0, bytes[first] != UInt8(ascii: "0") || position == first + 1 else { return false }
        if current == UInt8(ascii: ".") {
            position += 1
            guard digits() > 0 else { return false }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            guard digits() > 0 else { return false }
        }
        return true
    }

    private mutating func digits() -> Int {
        let first = position
        while let byte = current, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        return position - first
    }

    private mutating func literal(_ text: StaticString) -> Bool {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[position..<end].elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        else { return false }
        position = end
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
