import AviaryDomain
import Foundation

/// The encoding of a list position as text for an address, bound to the list that it was made for.
///
/// The text is neither secret nor trusted: its value is used only as a bound parameter.
enum CursorText {
    static func encode(_ position: KeysetPosition, for binding: CursorBinding) -> String {
        let parts = [binding.text, position.id.canonicalText, tagged(position.value)]
        return Base64URL.encode(Array(parts.joined(separator: "\n").utf8))
    }

    static func decode(_ text: String, for binding: CursorBinding) -> KeysetPosition? {
        guard let bytes = Base64URL.decode(text), let content = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        // The text is split by bytes. A value may start with a combining mark, which would merge with the tag or
        // the line break into one character.
        let parts = content.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual(binding.text.utf8),
            let id = UUID(canonicalText: Substring(parts[1])),
            let value = value(parts[2])
        else { return nil }
        return KeysetPosition(value: value, id: id)
    }

    private static func tagged(_ value: FieldValue) -> String {
        switch value {
        case .null, .blob: "n"
        case .integer(let number): "i\(number)"
        case .real(let number): "r\(number.bitPattern)"
        case .text(let text): "t\(text)"
        }
    }

    private static func value(_ text: Substring.UTF8View) -> FieldValue? {
        let content = Substring(text.dropFirst())
        switch text.first {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "i"): return Int64(content).map(FieldValue.integer)
        case UInt8(ascii: "r"): return UInt64(content).map { .real(Double(bitPattern: $0)) }
        case UInt8(ascii: "t"): return .text(String(content))
        default: return nil
        }
    }
}

/// The list that a position belongs to: its order, search and filters. In another list, the position would be a
/// different one.
struct CursorBinding: Sendable, Hashable {
    let text: String

    init(_ sort: ListOrder, _ narrowing: [FormField] = []) {
        text = narrowing.isEmpty ? sort.text : sort.text + " " + Self.digest(FormEncoding.encode(narrowing))
    }

    private static func digest(_ text: String) -> String {
        var hash = FNV1a()
        hash.add(text)
        return String(hash.value, radix: 36)
    }
}
