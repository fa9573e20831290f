import AviaryDomain

/// For which list a place was made: its order, and what it is narrowed by. In another it would be somewhere else.
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
