extension Words {
    /// A text of somebody's for the middle of a sentence: one that is written from right to left is read by itself, and
    /// what stands around it keeps its order. What turns texts without being seen is left out: it could end that early,
    /// and turn the rest.
    package static func isolated(_ text: String) -> String {
        let shown =
            text.unicodeScalars.contains(where: \.embedsText)
            ? String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.embedsText })) : text
        return shown.unicodeScalars.contains(where: \.turnsText) ? "\u{2068}\(shown)\u{2069}" : shown
    }
}

extension Unicode.Scalar {
    /// A Boolean value that indicates whether the scalar is written from right to left, or causes the text around it to
    /// be. It is decided by blocks, which Unicode reserves for such letters.
    fileprivate var turnsText: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF, 0x200F: true
        default: false
        }
    }

    /// A Boolean value that indicates whether the scalar begins or ends an embedding, an override or an isolate.
    fileprivate var embedsText: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
