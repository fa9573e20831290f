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

extension String {
    /// Four times what Unicode's Stream-Safe Text Format allows (UAX #15, section 13), and more than any language or
    /// jest needs.
    private static var longestMarkRun: Int { 128 }

    /// A Boolean value that indicates whether the string has more combining marks in a row than any real text.
    ///
    /// Swift compares, hashes and folds strings by their canonical form, for which it sorts the marks of each run.
    package var hasLongMarkRun: Bool {
        // Marks take two bytes at least.
        guard utf8.count > 2 * Self.longestMarkRun else { return false }
        var run = 0
        for scalar in unicodeScalars {
            guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered else {
                run = 0
                continue
            }
            run += 1
            if run > Self.longestMarkRun { return true }
        }
        return false
    }
}

extension String {
    /// A Boolean value that indicates whether the string has no visible characters, only white space and characters
    /// without a shape.
    package var isBlank: Bool {
        // Almost every text that is not blank shows it in a byte; characters take a hundred times as long.
        if utf8.contains(where: { $0 > 0x20 && $0 < 0x7F }) { return false }
        return unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || properties.generalCategory == .control || properties.generalCategory == .format
        }
    }
}
