import Foundation

extension UUID {
    /// Reads canonical text where SQLite keeps it: a list page does this for every row.
    init?(canonicalUTF8 text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36 else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        var position = 0
        let isValid = withUnsafeMutableBytes(of: &value) { bytes in
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    guard text[position] == UInt8(ascii: "-") else { return false }
                    position += 1
                }
                guard let high = hexadecimalValue(text[position]), let low = hexadecimalValue(text[position + 1])
                else { return false }
                bytes[index] = high << 4 | low
                position += 2
            }
            return true
        }
        guard isValid else { return nil }
        self.init(uuid: value)
    }
}

@inline(__always)
private func hexadecimalValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
}
