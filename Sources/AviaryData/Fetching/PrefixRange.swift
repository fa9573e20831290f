/// The range in a case-insensitive index of the texts that begin with a prefix: from the first text to before the
/// second.
///
/// Only ASCII letters have a case there. Other characters count by their bytes, in the order of their code points.
struct PrefixRange: Hashable {
    let lower: String
    /// The end of the range; nil when no text follows.
    let upper: String?

    init(_ prefix: String) {
        lower = prefix
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            guard let next = Self.scalar(after: last) else { continue }
            var upper = String.UnicodeScalarView(scalars)
            upper.append(next)
            self.upper = String(upper)
            return
        }
        upper = nil
    }

    private static func scalar(after scalar: Unicode.Scalar) -> Unicode.Scalar? {
        // Capitals count as the small letters, which come later.
        let folded = ("A"..."Z").contains(scalar) ? scalar.value + 32 : scalar.value
        switch folded {
        case 0x40: return "["
        case 0xD7FF: return "\u{E000}"
        default: return Unicode.Scalar(folded + 1)
        }
    }
}
