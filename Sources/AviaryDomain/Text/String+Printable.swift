import Foundation

extension String {
    /// The string with escapes, such as `\u{1B}`, for all characters that would move a terminal's cursor or change
    /// the direction of text. The content of a file must not be able to hide or forge a line.
    package var printable: String { escaped { _ in true } }

    /// The string with the same escapes as ``printable``, but with its line feeds and tabs unchanged.
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
    /// Indicates whether the scalar is a C0 or C1 control, a line or paragraph separator, or a control of the text
    /// direction.
    fileprivate var controlsTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The largest number of combining marks in a row: four times the limit of Unicode's Stream-Safe Text Format
    /// (UAX #15, section 13), and more than any language or joke needs.
    private static var longestMarkRun: Int { 128 }

    /// Indicates whether the string has more combining marks in a row than any real text.
    ///
    /// Swift compares, hashes and folds strings by their canonical form, for which it sorts the marks of each run.
    package var hasLongMarkRun: Bool {
        // Each mark has at least two bytes.
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
    /// Indicates whether the string has no visible characters, only white space and characters without a shape.
    package var isBlank: Bool {
        // In almost every text that is not blank, a byte shows it. Examining characters takes a hundred times as
        // long.
        if utf8.contains(where: { $0 > 0x20 && $0 < 0x7F }) { return false }
        return unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || properties.generalCategory == .control || properties.generalCategory == .format
        }
    }

    /// Indicates whether the string has no characters but white space.
    var isWhiteSpace: Bool {
        // The first byte of most texts answers that.
        if let first = utf8.first, first > 0x20, first < 0x7F { return false }
        return allSatisfy(\.isWhitespace)
    }

    /// Returns the text without the characters of a set at both ends. The set contains white space alone.
    ///
    /// Foundation copies the text even if it has nothing to remove, which is a twentieth of the time of an import.
    func trimmed(_ set: CharacterSet = .whitespacesAndNewlines) -> String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        let visible: ClosedRange<UInt8> = 0x21...0x7E
        return visible.contains(first) && visible.contains(last) ? self : trimmingCharacters(in: set)
    }
}
