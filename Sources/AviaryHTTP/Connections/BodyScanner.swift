/// A scanner that finds the end of a request's body and rejects chunks that another parser could read differently.
struct BodyScanner {
    private enum State: Equatable {
        /// A chunk's size, with the number of digits read so far.
        case size(digits: Int)
        case extensions
        case sizeEnd
        case data(left: Int)
        case dataReturn
        case dataEnd
        /// The beginning of a trailer field's line. Its name and its value have states of their own.
        case line
        case name
        case value
        case lineEnd
        case lastEnd
        case done
    }

    private let limits: ConnectionLimits
    private let sizeLimit: Int
    private var state: State
    private let isChunked: Bool
    private var size = 0
    private var total = 0
    private var overhead = 0

    /// Creates a scanner.
    ///
    /// - Parameter sizeLimit: The largest size of the body in bytes; by default the limit for any body.
    init(_ body: RequestHead.Body, _ limits: ConnectionLimits, sizeLimit: Int? = nil) {
        self.limits = limits
        self.sizeLimit = sizeLimit ?? limits.bodySize
        switch body {
        case .none, .length(0): (state, isChunked) = (.done, false)
        case .length(let length): (state, isChunked) = (.data(left: length), false)
        case .chunked: (state, isChunked) = (.size(digits: 0), true)
        }
    }

    var isDone: Bool { state == .done }

    /// Scans the next bytes.
    ///
    /// - Parameter bytes: Bytes that have arrived and were not scanned before.
    /// - Returns: The number of bytes that belong to this body.
    mutating func scan(_ bytes: Span<UInt8>) throws(ConnectionError) -> Int {
        var index = 0
        while index < bytes.count, state != .done {
            if case .data(let left) = state {
                let count = min(left, bytes.count - index)
                index += count
                state = count < left ? .data(left: left - count) : isChunked ? .dataReturn : .done
            } else {
                try read(bytes[index])
                index += 1
                overhead += 1
                guard overhead <= limits.chunkOverhead + total / 4 else {
                    throw .malformed("its chunks are too small or their extensions too long")
                }
            }
        }
        return index
    }

    private mutating func read(_ byte: UInt8) throws(ConnectionError) {
        switch state {
        case .size(let digits): try readSize(byte, digits)
        case .extensions:
            if byte == ByteClass.carriageReturn {
                state = .sizeEnd
            } else if !ByteClass.isFieldValue(byte) {
                throw .malformed("a chunk's extension has a control character")
            }
        case .sizeEnd:
            try expect(byte, ByteClass.lineFeed)
            state = size == 0 ? .line : .data(left: size)
        case .dataReturn:
            try expect(byte, ByteClass.carriageReturn)
            state = .dataEnd
        case .dataEnd:
            try expect(byte, ByteClass.lineFeed)
            state = .size(digits: 0)
            size = 0
        case .line:
            if byte == ByteClass.carriageReturn {
                state = .lastEnd
            } else if ByteClass.isToken(byte) {
                state = .name
            } else {
                throw .malformed("a trailer field's name cannot be read")
            }
        case .name:
            if byte == UInt8(ascii: ":") {
                state = .value
            } else if !ByteClass.isToken(byte) {
                throw .malformed("a trailer field's name cannot be read")
            }
        case .value:
            if byte == ByteClass.carriageReturn {
                state = .lineEnd
            } else if !ByteClass.isFieldValue(byte) {
                throw .malformed("a trailer field has a control character")
            }
        case .lineEnd:
            try expect(byte, ByteClass.lineFeed)
            state = .line
        case .lastEnd:
            try expect(byte, ByteClass.lineFeed)
            state = .done
        case .data, .done: break
        }
    }

    private mutating func readSize(_ byte: UInt8, _ digits: Int) throws(ConnectionError) {
        if let digit = ByteClass.hexValue(byte) {
            // The size limit rejects the number long before it could overflow.
            size = size * 16 + digit
            guard digits < 16, total + size <= sizeLimit else { throw .bodyTooLarge }
            state = .size(digits: digits + 1)
            return
        }
        guard digits > 0 else { throw .malformed("a chunk's size cannot be read") }
        total += size
        switch byte {
        case ByteClass.carriageReturn: state = .sizeEnd
        case UInt8(ascii: ";"): state = .extensions
        default: throw .malformed("a chunk's size cannot be read")
        }
    }

    private func expect(_ byte: UInt8, _ expected: UInt8) throws(ConnectionError) {
        guard byte == expected else { throw .malformed("a chunk does not end where it says") }
    }
}
