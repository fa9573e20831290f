import AviaryDomain

/// The identifiers of the server's types.
enum PostgreSQLType {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let bigint: UInt32 = 20
    static let smallint: UInt32 = 21
    static let integer: UInt32 = 23
    static let text: UInt32 = 25
    static let double: UInt32 = 701
    /// The type that the server infers from the statement.
    static let inferred: UInt32 = 0

    /// Returns the type of an array; nil for elements that no insertion has.
    static func array(of element: UInt32) -> UInt32? {
        switch element {
        case bigint: 1016
        case double: 1022
        case text: 1009
        case bytes: 1001
        default: nil
        }
    }
}

/// The values of a statement's parameters in the binary form of the protocol.
struct PostgreSQLParameters {
    private(set) var values: [FieldValue]

    init(count: Int) {
        values = [FieldValue](repeating: .null, count: count)
    }

    var byteCount: Int {
        values.reduce(0) { $0 + $1.size }
    }

    mutating func set(_ value: FieldValue, at index: Int) {
        while values.count < index { values.append(.null) }
        values[index - 1] = value
    }

    mutating func clear() {
        for index in values.indices { values[index] = .null }
    }

    /// The types of the values. The server infers that of a null.
    var types: [UInt32] {
        values.map { value in
            switch value {
            case .null: PostgreSQLType.inferred
            case .integer: PostgreSQLType.bigint
            case .real: PostgreSQLType.double
            case .text: PostgreSQLType.text
            case .blob: PostgreSQLType.bytes
            }
        }
    }

    /// Indicates whether a statement that was prepared for some types takes the values.
    func fit(_ types: [UInt32]) -> Bool {
        zip(values, types).allSatisfy { value, type in
            switch value {
            case .null: true
            case .integer: type == PostgreSQLType.bigint
            case .real: type == PostgreSQLType.double
            case .text: type == PostgreSQLType.text
            case .blob: type == PostgreSQLType.bytes
            }
        }
    }

    /// Replaces the values that cannot be compared with the types by nulls.
    ///
    /// - Returns: A Boolean value that indicates whether there were any.
    mutating func clearValues(unfitFor types: [UInt32]) -> Bool {
        var hasCleared = false
        for (index, type) in types.enumerated() where values.indices.contains(index) {
            let isFit =
                switch values[index] {
                case .null: true
                case .integer, .real: type != PostgreSQLType.text && type != PostgreSQLType.bytes
                case .text: type == PostgreSQLType.text
                case .blob: type == PostgreSQLType.bytes
                }
            if !isFit {
                values[index] = .null
                hasCleared = true
            }
        }
        return hasCleared
    }

    /// Calls the body with the pointers that libpq takes.
    func withPointers<T>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> T
    ) -> T {
        guard !values.isEmpty else { return body(0, nil, nil, nil) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        var starts: [Int] = [], lengths: [Int32] = []
        for value in values {
            starts.append(value.isNull ? -1 : bytes.count)
            switch value {
            case .null: break
            case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
            case .real(let number): withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes += $0 }
            case .text(let text): bytes += Self.storable(text)
            case .blob(let blob): bytes += blob
            }
            lengths.append(value.isNull ? 0 : Int32(truncatingIfNeeded: bytes.count - starts[starts.count - 1]))
        }
        // A pointer that is nil would mean a null where an empty text is meant.
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: values.count)
        return bytes.withUnsafeBytes { buffer in
            let base = buffer.bindMemory(to: CChar.self).baseAddress
            let pointers = starts.map { start in start < 0 ? nil : base.map { $0 + start } }
            return body(Int32(values.count), pointers, lengths, formats)
        }
    }

    /// Returns the values of a column of some rows as an array in the binary form of the protocol.
    static func array(of rows: [PostgreSQLParameters], at index: Int, _ type: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.reduce(20) { sum, row in sum + 4 + row.values[index].size })
        func append(_ number: Int) {
            withUnsafeBytes(of: Int32(truncatingIfNeeded: number).bigEndian) { bytes += $0 }
        }
        append(1)  // dimension
        append(rows.contains { $0.values[index].isNull } ? 1 : 0)
        append(Int(type))
        append(rows.count)
        append(1)  // the index of the first element
        for row in rows {
            switch row.values[index] {
            case .null: append(-1)
            case .integer(let number):
                append(8)
                withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
            case .real(let number):
                append(8)
                withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes += $0 }
            case .text(let text):
                let text = storable(text)
                append(text.count)
                bytes += text
            case .blob(let blob):
                append(blob.count)
                bytes += blob
            }
        }
        return bytes
    }

    /// Returns the bytes of a text. The server has no U+0000, and no stored text contains it: the models refuse it on every
    /// engine. A search for it becomes one for U+0001, its neighbour in every order.
    private static func storable(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bytes.contains(0) ? bytes.map { $0 == 0 ? 1 : $0 } : bytes
    }
}

extension FieldValue {
    /// The number of bytes that it has in the protocol, at most.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .integer, .real: 8
        }
    }
}
