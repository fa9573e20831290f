/// Error correction over the field of 256 elements (section 7.5.2).
struct ReedSolomon {
    /// The generator's coefficients, without the leading 1.
    private let divisor: [UInt8]

    init(length: Int) {
        var divisor = [UInt8](repeating: 0, count: length)
        divisor[length - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<length {
            for index in divisor.indices {
                divisor[index] = Self.product(divisor[index], root) ^ (index + 1 < length ? divisor[index + 1] : 0)
            }
            root = Self.product(root, 2)
        }
        self.divisor = divisor
    }

    func remainder(of data: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in rest.indices { rest[index] ^= Self.product(divisor[index], factor) }
        }
        return rest
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for shift in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) &* 0x1D
            result ^= (right >> UInt8(shift) & 1) &* left
        }
        return result
    }
}
