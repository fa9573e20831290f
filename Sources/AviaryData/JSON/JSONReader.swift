/// Reads one JSON value (RFC 8259) from bytes, as its caller asks for it. Refuses names that are there twice.
struct JSONReader {
    static let depthLimit = 16
    /// The greatest number of names in one object, because each is compared with all before it.
    static let nameLimit = 1_000

    let bytes: [UInt8]
    let end: Int
    var position: Int
    private var depth = 0

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        let range = range.clamped(to: bytes.indices)
        position = range.lowerBound
        end = range.upperBound
    }

    init(_ bytes: [UInt8]) {
        self.init(bytes, in: bytes.indices)
    }

    var current: UInt8? { position < end ? bytes[position] : nil }

    /// The first byte of the next value.
    mutating func start() throws(JSONError) -> UInt8 {
        skipBlanks()
        guard let byte = current else { throw .ended }
        return byte
    }

    /// Hands each name over, with the reader standing before its value, which the body must read or ``skip()``.
    mutating func object(_ body: (String, inout JSONReader) throws -> Void) throws {
        guard try start() == UInt8(ascii: "{") else { throw JSONError.otherType(expected: .object) }
        try enter()
        if takes(UInt8(ascii: "}")) { return depth -= 1 }
        var names: [String] = []
        repeat {
            guard try start() == UInt8(ascii: "\"") else { throw JSONError.unexpectedByte }
            let name = try text()
            guard !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { throw JSONError.duplicateKey }
            names.append(name)
            guard names.count <= Self.nameLimit else { throw JSONError.tooManyNames }
            try expect(UInt8(ascii: ":"))
            try body(name, &self)
        } while takes(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
        depth -= 1
    }

    /// Calls the body before each element, which it must read or ``skip()``.
    mutating func array(_ body: (inout JSONReader) throws -> Void) throws {
        guard try start() == UInt8(ascii: "[") else { throw JSONError.otherType(expected: .list) }
        try enter()
        if takes(UInt8(ascii: "]")) { return depth -= 1 }
        repeat {
            try body(&self)
        } while takes(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        depth -= 1
    }

    mutating func literal(_ word: StaticString) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        guard position + count <= end else { throw .ended }
        let matches = bytes[position..<position + count]
            .elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
        guard matches else { throw .unexpectedByte }
        position += count
    }

    /// Checks that only white space remains.
    mutating func finish() throws(JSONError) {
        skipBlanks()
        guard position == end else { throw .trailing }
    }

    /// Enters an object or a list.
    private mutating func enter() throws(JSONError) {
        position += 1
        depth += 1
        guard depth <= Self.depthLimit else { throw .tooDeep }
    }

    private mutating func takes(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        skipBlanks()
        guard let current else { throw .ended }
        guard current == byte else { throw .unexpectedByte }
        position += 1
    }

    private mutating func skipBlanks() {
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: " "), 9, 10, 13: position += 1
            default: return
            }
        }
    }
}
