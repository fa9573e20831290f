/// A writer of JSON as bytes. The caller writes the commas.
struct JSONWriter {
    // Writes go to allocated room in place: appending piece by piece took a quarter of the time to read a backup.
    private var room: [UInt8]
    private(set) var count = 0

    init(capacity: Int = 1 << 10) {
        room = [UInt8](repeating: 0, count: capacity)
    }

    /// The written bytes, as a copy.
    var bytes: [UInt8] { Array(room[..<count]) }

    mutating func removeAll() {
        count = 0
    }

    /// Writes bytes that are already JSON.
    mutating func raw(_ text: StaticString) {
        raw(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func raw(_ text: [UInt8]) {
        text.withUnsafeBytes { raw($0) }
    }

    mutating func raw(_ text: UnsafeRawBufferPointer) {
        makeRoom(for: text.count)
        let start = count
        room.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: text) }
        count += text.count
    }

    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { self.text($0) }
    }

    mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
        byte(UInt8(ascii: "\""))
        var rest = UnsafeRawBufferPointer(utf8)
        while true {
            let plain = plainPrefix(of: rest)
            raw(UnsafeRawBufferPointer(rebasing: rest[..<plain]))
            guard plain < rest.count else { break }
            escape(rest[plain])
            rest = UnsafeRawBufferPointer(rebasing: rest[(plain + 1)...])
        }
        byte(UInt8(ascii: "\""))
    }

    /// Returns the number of bytes before the first one that must be escaped.
    ///
    /// It tests eight bytes at a time, because most texts have no such byte.
    private func plainPrefix(of text: UnsafeRawBufferPointer) -> Int {
        var index = 0
        while index + 8 <= text.count {
            let eight = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if Self.mayHaveToEscape(eight) { break }
            index += 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            index += 1
        }
        return index
    }

    /// Indicates whether any of the eight bytes is a control character, a quotation mark or a backslash.
    ///
    /// Subtracting a bound borrows from a byte that is smaller than the bound. A byte that equals another is zero
    /// after an exclusive or.
    private static func mayHaveToEscape(_ eight: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101, highs: UInt64 = 0x8080_8080_8080_8080
        let quotes = eight ^ (ones &* UInt64(UInt8(ascii: "\""))),
            backslashes = eight ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (eight &- ones &* 0x20) & ~eight
        return (controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & highs != 0
    }

    mutating func integer(_ number: Int64) {
        // Versions, flags and small counts are most of the numbers.
        if 0..<10 ~= number { return byte(UInt8(ascii: "0") + UInt8(number)) }
        var digits = String(number)
        digits.withUTF8 { raw(UnsafeRawBufferPointer($0)) }
    }

    /// Writes the shortest text that reads back as the same number.
    mutating func real(_ number: Double) {
        var digits = number.description
        digits.withUTF8 { raw(UnsafeRawBufferPointer($0)) }
    }

    mutating func boolean(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    private mutating func escape(_ byte: UInt8) {
        self.byte(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self.byte(byte)
        case 9: self.byte(UInt8(ascii: "t"))
        case 10: self.byte(UInt8(ascii: "n"))
        case 13: self.byte(UInt8(ascii: "r"))
        default:
            raw("u00")
            self.byte(byte < 16 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let low = byte & 15
            self.byte(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }

    private mutating func byte(_ byte: UInt8) {
        makeRoom(for: 1)
        room[count] = byte
        count += 1
    }

    private mutating func makeRoom(for added: Int) {
        guard room.count - count < added else { return }
        room += [UInt8](repeating: 0, count: max(added, room.count))
    }
}
