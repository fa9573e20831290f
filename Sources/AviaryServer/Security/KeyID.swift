import Foundation

/// Four bytes of Unix time, so that keys sort by age; also stands in front of what the key has sealed.
struct KeyID: Sendable, Hashable, Comparable {
    let bytes: [UInt8]

    init(seconds: UInt32) {
        bytes = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) }
    }

    init(at time: Date) {
        self.init(seconds: UInt32(clamping: Int(time.timeIntervalSince1970)))
    }

    init?(hexadecimal: some StringProtocol) {
        guard hexadecimal.utf8.count == 8, let value = UInt32(hexadecimal, radix: 16) else { return nil }
        self.init(seconds: value)
        // A sign, or capitals, would make two names of one key.
        guard self.hexadecimal == hexadecimal else { return nil }
    }

    var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    var createdAt: Date {
        Date(timeIntervalSince1970: TimeInterval(bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
    }

    static func < (left: KeyID, right: KeyID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
