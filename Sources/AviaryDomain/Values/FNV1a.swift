/// 64 bits of FNV-1a: a number that is the same in every process. It tells texts apart, and guards nothing.
package struct FNV1a: Sendable, Hashable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }
}
