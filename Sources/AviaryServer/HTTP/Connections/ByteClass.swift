/// The kinds of bytes that RFC 9110 and 9112 tell apart.
enum ByteClass {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    // One bit a byte: "!#$%&'*+-.^_`|~", digits and letters.
    private static let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
    private static let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    /// Whether it may stand in a method or in a field's name.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: tokenLow >> UInt64(byte) & 1 == 1
        case 64..<128: tokenHigh >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }

    /// Whether it may stand in a field's value: no control character but a tab.
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= space && byte != 0x7F || byte == tab
    }

    /// Whether it may stand in a target. Bytes above ASCII are let pass: people paste them.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > space && byte != 0x7F && byte != UInt8(ascii: "#")
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    static func hexValue(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
