import AviaryDomain

/// A list of values as JSON of which SQLite reads the very same values again.
enum JSONList {
    /// Returns the values as a JSON array; nil when SQLite would read another value, because it rounds a decimal number
    /// itself and ends a text at a NUL.
    static func text(_ values: [FieldValue]) -> String? {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for value in values {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            switch value {
            case .integer(let number): bytes.append(contentsOf: "\(number)".utf8)
            case .text(let text):
                guard append(text, to: &bytes) else { return nil }
            case .null, .real, .blob: return nil
            }
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) -> Bool {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case 0: return false
            case 0x01..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                for digit in [byte >> 4, byte & 0x0F] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return true
    }
}
