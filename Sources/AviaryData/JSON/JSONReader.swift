/// Reads one JSON value (RFC 8259) from bytes, as its caller asks for it. Refuses names that are there twice.
struct JSONReader {
    static let depthLimit = 16
    /// The greatest number of names in one object.
    static let nameLimit = 1_000

    let bytes: [UInt8]
    let end: Int
    var position: Int
    /// The number of values in lists and objects that may still come.
    private var valuesLeft: Int
    private var depth = 0

    /// - Parameter mostValues: The greatest number of values in lists and objects, of all depths together.
    init(_ bytes: [UInt8], in range: Range<Int>, mostValues: Int = .max) {
        self.bytes = bytes
        valuesLeft = mostValues
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
        var names = Names()
        repeat {
            guard try start() == UInt8(ascii: "\"") else { throw JSONError.unexpectedByte }
            let name = try text()
            guard names.insert(name) else { throw JSONError.duplicateKey }
            guard names.count <= Self.nameLimit else { throw JSONError.tooManyNames }
            try expect(UInt8(ascii: ":"))
            try countValue()
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
            try countValue()
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

    private mutating func countValue() throws(JSONError) {
        guard valuesLeft > 0 else { throw .tooManyValues }
        valuesLeft -= 1
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

/// The names of one object, which differ in their bytes.
private struct Names {
    /// So many are compared one by one, which is quicker than a set.
    private static let few = 32

    private(set) var count = 0
    private var first: [String] = []
    private var all: Set<[UInt8]> = []

    /// - Returns: False when the name is there already.
    mutating func insert(_ name: String) -> Bool {
        if count < Self.few {
            guard !first.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return false }
            first.append(name)
        } else {
            if all.isEmpty { all = Set(first.map { Array($0.utf8) }) }
            guard all.insert(Array(name.utf8)).inserted else { return false }
        }
        count += 1
        return true
    }
}
