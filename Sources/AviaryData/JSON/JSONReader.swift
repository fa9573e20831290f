/// A reader of one JSON value (RFC 8259) from bytes, driven by its caller. It rejects duplicate names.
struct JSONReader {
    static let depthLimit = 16
    /// The maximum number of names in one object.
    static let nameLimit = 1_000

    let bytes: [UInt8]
    let end: Int
    var position: Int
    /// The number of values in lists and objects that the reader still accepts.
    private var valuesLeft: Int
    private var depth = 0

    /// Creates a reader.
    ///
    /// - Parameter mostValues: The maximum number of values in lists and objects, of all depths together.
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

    /// Returns the first byte of the next value.
    mutating func start() throws(JSONError) -> UInt8 {
        skipBlanks()
        guard let byte = current else { throw .ended }
        return byte
    }

    /// Calls the body for each name, with the reader before its value. The body must read the value or ``skip()``
    /// it.
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

    /// Calls the body before each element. The body must read the element or ``skip()`` it.
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

/// The names of one object, compared by their bytes.
private struct Names {
    /// The number of names that are compared one by one, which is faster than a set.
    private static let few = 32

    private(set) var count = 0
    private var first: [String] = []
    private var all: Set<[UInt8]> = []

    /// Adds a name.
    ///
    /// - Returns: False if the name is a duplicate.
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

/// A JSON number. Integers that fit are exact.
enum JSONNumber: Sendable, Hashable {
    case integer(Int64)
    case real(Double)
}

extension JSONReader {
    /// Reads a number. A number that is too large for a `Double` is malformed.
    mutating func number() throws(JSONError) -> JSONNumber {
        let byte = try start()
        guard byte == UInt8(ascii: "-") || isDigit(byte) else { throw .otherType(expected: .number) }
        let first = position
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let digits = try self.digits()
        guard digits.count == 1 || bytes[digits.lowerBound] != UInt8(ascii: "0") else { throw .invalidNumber }
        var isWhole = true
        if current == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            _ = try self.digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            _ = try self.digits()
        }
        if isWhole, let number = integer(digits, isNegative: isNegative) { return .integer(number) }
        guard let number = Double(String(decoding: bytes[first..<position], as: UTF8.self)), number.isFinite else {
            throw .invalidNumber
        }
        return .real(number)
    }

    /// Reads an integer; nil for anything else, which is skipped.
    mutating func wholeNumber() throws -> Int64? {
        let byte = try start()
        guard byte == UInt8(ascii: "-") || isDigit(byte) else {
            try skip()
            return nil
        }
        return if case .integer(let number) = try number() { number } else { nil }
    }

    private mutating func digits() throws(JSONError) -> Range<Int> {
        let first = position
        while let byte = current, isDigit(byte) { position += 1 }
        guard position > first else { throw current == nil ? .ended : .invalidNumber }
        return first..<position
    }

    /// Returns the integer; nil if it does not fit, or is the negative zero, which only a `Double` can represent.
    private func integer(_ digits: Range<Int>, isNegative: Bool) -> Int64? {
        var number: Int64 = 0
        for byte in bytes[digits] {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (shifted, overflow) = number.multipliedReportingOverflow(by: 10)
            let (next, carry) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflow, !carry else { return nil }
            number = next
        }
        return isNegative && number == 0 ? nil : number
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

extension JSONReader {
    /// Reads a text.
    mutating func text() throws(JSONError) -> String {
        guard try start() == UInt8(ascii: "\"") else { throw .otherType(expected: .text) }
        position += 1
        let (plain, isASCII) = plainRun()
        guard let next = current else { throw .ended }
        if next == UInt8(ascii: "\"") {
            position += 1
            return isASCII ? text(ofASCII: plain) : try validated(bytes[plain])
        }
        return try escapedText(beginningWith: bytes[plain])
    }

    private mutating func escapedText(beginningWith plain: ArraySlice<UInt8>) throws(JSONError) -> String {
        var output = Array(plain)
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try validated(output[...])
            case UInt8(ascii: "\\"): try escape(into: &output)
            default: throw .invalidText  // a bare control character
            }
            output += bytes[plainRun().range]
        }
        throw .ended
    }

    /// Skips the bytes that need no unescaping.
    private mutating func plainRun() -> (range: Range<Int>, isASCII: Bool) {
        let first = position
        var all: UInt8 = 0
        bytes.withUnsafeBufferPointer { bytes in
            while position < end {
                let byte = bytes[position]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
                all |= byte
                position += 1
            }
        }
        return (first..<position, all < 0x80)
    }

    // Most texts are ASCII. Validating them took 8 % of the samples of a restore.
    private func text(ofASCII range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            String(unsafeUninitializedCapacity: range.count) { text in
                _ = text.initialize(fromContentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
                return range.count
            }
        }
    }

    private func validated(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidText }
        return text
    }

    private mutating func escape(into output: inout [UInt8]) throws(JSONError) {
        guard let kind = current else { throw .ended }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(kind)
        case UInt8(ascii: "b"): output.append(8)
        case UInt8(ascii: "f"): output.append(12)
        case UInt8(ascii: "n"): output.append(10)
        case UInt8(ascii: "r"): output.append(13)
        case UInt8(ascii: "t"): output.append(9)
        case UInt8(ascii: "u"): output += Array(String(Character(try unicodeScalar())).utf8)
        default: throw .invalidText
        }
    }

    private mutating func unicodeScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimalUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A surrogate: a leading one must come first, and a trailing one must follow.
        guard UTF16.isLeadSurrogate(first) else { throw .invalidText }
        try literal("\\u")
        let second = try hexadecimalUnit()
        guard UTF16.isTrailSurrogate(second) else { throw .invalidText }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw .invalidText }
        return scalar
    }

    private mutating func hexadecimalUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = current else { throw .ended }
            position += 1
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(digit - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(digit - UInt8(ascii: "A") + 10)
            default: throw .invalidText
            }
        }
        return unit
    }
}
