extension JSONReader {
    /// The text that begins here.
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

    /// Goes over what stands for itself.
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

    // Most texts are; validating them had 8 % of the samples of a restore.
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
        // Half of a pair: only the first half may come first, and only the second may follow.
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
