import AviaryDomain

/// For which list a place was made: its order, and what it is narrowed by. In another it would be somewhere else.
struct CursorBinding: Sendable, Hashable {
    let text: String

    init(_ sort: ListOrder, _ narrowing: [FormField] = []) {
        text = narrowing.isEmpty ? sort.text : sort.text + " " + Self.digest(FormEncoding.encode(narrowing))
    }

    /// FNV-1a: the same in every process.
    private static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 36)
    }
}
