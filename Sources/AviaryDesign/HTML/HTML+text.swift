extension HTML {
    /// Appends data, safe in an element's text and in a quoted attribute's value.
    ///
    /// Works on bytes: by grapheme clusters a quote followed by a combining mark would not equal a quote.
    package mutating func text(_ string: String) {
        let isWritten: Void? = string.utf8.withContiguousStorageIfAvailable { escape($0) }
        if isWritten == nil {
            Array(string.utf8).withUnsafeBufferPointer { escape($0) }
        }
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in 0..<utf8.count {
            // Everything that needs a replacement sorts at or before ">".
            guard utf8[index] <= 0x3E, let replacement = Self.replacement(of: utf8[index]) else { continue }
            append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
            literal(replacement)
            start = index + 1
        }
        append(UnsafeBufferPointer(rebasing: utf8[start...]))
    }

    @inline(__always)
    private static func replacement(of byte: UInt8) -> StaticString? {
        switch byte {
        case 0x22: "&quot;"
        case 0x26: "&amp;"
        case 0x27: "&#39;"
        case 0x3C: "&lt;"
        case 0x3E: "&gt;"
        // Browsers would turn a bare carriage return into a line feed, and data would change on the next save.
        case 0x0D: "&#13;"
        // HTML has no way to carry a NUL.
        case 0x00: "\u{FFFD}"
        default: nil
        }
    }
}
