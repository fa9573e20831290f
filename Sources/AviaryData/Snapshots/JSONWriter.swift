/// Writes JSON as bytes. The caller minds the commas.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 1 << 10) {
        bytes.reserveCapacity(capacity)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Bytes that are JSON already.
    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func raw(_ text: [UInt8]) {
        bytes.append(contentsOf: text)
    }

    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { self.text($0) }
    }

    mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var plain = 0
        for (index, byte) in utf8.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plain..<index]))
            escape(byte)
            plain = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plain...]))
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func integer(_ number: Int64) {
        bytes.append(contentsOf: String(number).utf8)
    }

    /// The shortest text that reads back as the same number.
    mutating func real(_ number: Double) {
        bytes.append(contentsOf: number.description.utf8)
    }

    mutating func boolean(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 9: bytes.append(UInt8(ascii: "t"))
        case 10: bytes.append(UInt8(ascii: "n"))
        case 13: bytes.append(UInt8(ascii: "r"))
        default:
            raw("u00")
            bytes.append(byte < 16 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let low = byte & 15
            bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
