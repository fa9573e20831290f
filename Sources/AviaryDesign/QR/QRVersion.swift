/// The size of a QR code, and the layout and error correction of its data (tables 7 and 9, level M).
struct QRVersion {
    let number: Int

    /// The number of error correction codewords in each block, by version.
    private static let correctionLengths = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
    ]
    private static let blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

    /// Creates the smallest version that holds a number of bytes; nil when none does.
    init?(holding count: Int) {
        guard let number = (1...Self.blockCounts.count).first(where: { Self(number: $0).capacity >= count }) else {
            return nil
        }
        self.number = number
    }

    private init(number: Int) { self.number = number }

    var size: Int { number * 4 + 17 }

    var alignmentPositions: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = (number * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<(count - 1)).map { size - 7 - $0 * step }.reversed()
    }

    private var correctionLength: Int { Self.correctionLengths[number - 1] }
    private var blockCount: Int { Self.blockCounts[number - 1] }

    /// The capacity without the function patterns, in codewords.
    private var codewordCount: Int {
        var modules = (16 * number + 128) * number + 64
        if number > 1 {
            let count = number / 7 + 2
            modules -= (25 * count - 10) * count - 55
        }
        if number >= 7 { modules -= 36 }
        return modules / 8
    }

    private var dataCount: Int { codewordCount - correctionLength * blockCount }
    private var lengthBits: Int { number < 10 ? 8 : 16 }
    private var capacity: Int { (dataCount * 8 - 4 - lengthBits) / 8 }

    /// Returns the data with mode, length, padding and error correction, interleaved.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        let data = padded(bytes)
        let shortLength = dataCount / blockCount
        let shortBlocks = blockCount - dataCount % blockCount
        let correction = ReedSolomon(length: correctionLength)
        var blocks: [[UInt8]] = []
        var rest = data[...]
        for index in 0..<blockCount {
            let block = Array(rest.prefix(shortLength + (index < shortBlocks ? 0 : 1)))
            rest = rest.dropFirst(block.count)
            blocks.append(block)
        }
        let corrections = blocks.map { correction.remainder(of: $0) }
        return Self.interleaved(blocks) + Self.interleaved(corrections)
    }

    private func padded(_ bytes: [UInt8]) -> [UInt8] {
        // The data consists of four bits of mode (bytes: 0100), the length, the bytes, and a terminator of four
        // bits.
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, lengthBits)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, dataCount * 8 - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<(dataCount - data.count) { data.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
        return data
    }

    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
            blocks.compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }
}

/// The Reed–Solomon error correction over the field of 256 elements (section 7.5.2).
struct ReedSolomon {
    /// The coefficients of the generator polynomial, without the leading 1.
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
