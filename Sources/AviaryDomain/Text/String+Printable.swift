extension String {
    /// The string with every character escaped, as in `\u{1B}`, that would move a terminal's cursor or change the
    /// direction of text. Content of a file must not hide or forge a line.
    package var printable: String { escaped { _ in true } }

    /// The string as ``printable`` returns it, with its own line feeds and tabs kept.
    package var printableLines: String { escaped { $0 != "\n" && $0 != "\t" } }

    private func escaped(_ isMeant: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: { $0.controlsTerminal && isMeant($0) }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.controlsTerminal, isMeant(scalar) {
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    package var hasControlCharacters: Bool { unicodeScalars.contains(where: \.controlsTerminal) }
}

extension Unicode.Scalar {
    /// Controls of C0 and C1, ends of lines and paragraphs, and what changes the direction of reading.
    fileprivate var controlsTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
