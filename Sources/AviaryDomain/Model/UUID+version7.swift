package import Foundation

extension UUID {
    /// A UUID of version 7: 48 bits of Unix milliseconds, then 74 random bits (RFC 9562, section 5.7).
    package static func version7(at date: Date = Date()) -> UUID {
        let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
        let random = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        return UUID(
            uuid: (
                byte(milliseconds, 40), byte(milliseconds, 32), byte(milliseconds, 24),
                byte(milliseconds, 16), byte(milliseconds, 8), byte(milliseconds, 0),
                0x70 | (byte(random.0, 0) & 0x0F), byte(random.0, 8),
                0x80 | (byte(random.0, 16) & 0x3F), byte(random.0, 24), byte(random.0, 32), byte(random.0, 40),
                byte(random.1, 0), byte(random.1, 8), byte(random.1, 16), byte(random.1, 24)
            ))
    }
}
