package import Foundation

// Foundation's own conversions use uppercase and take about ten times as long. A list page performs 50 to 100 of
// them.
extension UUID {
    /// The 36 characters of RFC 9562, in lowercase.
    package var canonicalText: String {
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var position = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    text[position] = hexadecimalDigit(byte >> 4)
                    text[position + 1] = hexadecimalDigit(byte & 0x0F)
                    position += 2
                }
                return position
            }
        }
    }

    /// Parses the canonical form: 36 characters in lowercase. Any other form is nil, so that each record has exactly
    /// one address.
    package init?(canonicalText text: some StringProtocol) {
        var text = String(text)
        guard let id = text.withUTF8({ UUID(canonicalUTF8: $0) }) else { return nil }
        self = id
    }

    /// Creates a UUID as ``init(canonicalText:)`` does, from the bytes of the text in place. A list page does this for
    /// every row.
    package init?(canonicalUTF8 text: UnsafeBufferPointer<UInt8>) {
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

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

@inline(__always)
private func hexadecimalValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
}

extension UUID {
    /// A UUID of version 7: 48 bits of Unix milliseconds, 12 bits of their fraction, and 62 random bits (RFC 9562,
    /// sections 5.7 and 6.2, method 3).
    ///
    /// The fraction orders ids that are made one after the other. Records of an import are then appended to the index
    /// of the ids, and one call of the system gets the random bits.
    package static func version7(at date: Date = Date()) -> UUID {
        // Until 2038 a `Double` has all bits of the fraction, and one less for decades after that.
        let time = UInt64(max(0, date.timeIntervalSince1970 * 1000 * 4096))
        let milliseconds = time >> 12, fraction = time & 0xFFF, random = UInt64.random(in: .min ... .max)
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        return UUID(
            uuid: (
                byte(milliseconds, 40), byte(milliseconds, 32), byte(milliseconds, 24),
                byte(milliseconds, 16), byte(milliseconds, 8), byte(milliseconds, 0),
                0x70 | byte(fraction, 8), byte(fraction, 0),
                0x80 | (byte(random, 56) & 0x3F), byte(random, 48), byte(random, 40), byte(random, 32),
                byte(random, 24), byte(random, 16), byte(random, 8), byte(random, 0)
            ))
    }
}
