extension HTML {
    /// Appends a value inside a link's query, percent-encoded.
    mutating func query(_ value: String) {
        // Identifiers need no encoding; they are most of what goes through here.
        if value.utf8.allSatisfy(Self.isUnreserved) { return text(value) }
        for byte in value.utf8 {
            if Self.isUnreserved(byte) {
                append(byte)
            } else {
                append(UInt8(ascii: "%"))
                append(Self.hexadecimal(byte >> 4))
                append(Self.hexadecimal(byte & 0xF))
            }
        }
    }

    @inline(__always)
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    @inline(__always)
    private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
