import Foundation

extension String {
    /// The text without case and accents, for searching.
    ///
    /// The result is the same for the store and for `evaluate(_:)`, and on every machine, because no rules of a
    /// language apply. Letters are decomposed, lose the accents above and below them, and are converted to uppercase
    /// and then to lowercase. Therefore "ß" equals "ss", "ſ" equals "s", and both forms of the Greek sigma are
    /// equal.
    package var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 && $0 != 0 }) { return String(decoding: utf8.map(\.foldedASCII), as: UTF8.self) }
        var folded = String.UnicodeScalarView()
        for scalar in decomposedStringWithCanonicalMapping.unicodeScalars where !scalar.isAccent {
            folded.append(contentsOf: scalar.folded)
        }
        return String(folded)
    }

    /// Indicates whether this text, folded, contains the folded part, compared by bytes.
    package func containsFolded(_ part: String) -> Bool {
        folded.utf8.containsBytes(part.folded.utf8)
    }
}

extension UInt8 {
    fileprivate var foldedASCII: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}

extension Unicode.Scalar {
    /// Indicates whether the scalar is in a block of combining marks. The marks that a script always uses, such as
    /// vowels, are in other blocks.
    fileprivate var isAccent: Bool {
        switch value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    fileprivate var folded: String.UnicodeScalarView {
        // The full-text index ends a text at a NUL, and treats these scalars like one.
        if value == 0 || value == 0xFFFE || value == 0xFFFF { return String.UnicodeScalarView(["\u{FFFD}"]) }
        // Convert to lowercase before uppercase, so that a capital "ẞ" also becomes "SS".
        var folded = String.UnicodeScalarView()
        for lower in properties.lowercaseMapping.unicodeScalars {
            for upper in lower.properties.uppercaseMapping.unicodeScalars {
                folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars.lazy.filter { !$0.isAccent })
            }
        }
        return folded
    }
}

extension String.UTF8View {
    fileprivate func containsBytes(_ part: String.UTF8View) -> Bool {
        let text = Array(self), part = Array(part)
        guard let first = part.first else { return true }
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { start in
            text[start] == first && text[start..<(start + part.count)].elementsEqual(part)
        }
    }
}
