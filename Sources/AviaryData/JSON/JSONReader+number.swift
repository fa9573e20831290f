/// JSON has one kind of number; whole ones that fit are kept exact.
enum JSONNumber: Sendable, Hashable {
    case integer(Int64)
    case real(Double)
}

extension JSONReader {
    /// The number that begins here. One that is too large for a Double is malformed.
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

    /// The whole number that begins here; nil when it is anything else, which is gone over without keeping it.
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

    /// Returns the integer; nil when it does not fit, or is the negative zero that only a Double can hold.
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
