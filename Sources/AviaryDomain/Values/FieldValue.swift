/// A stored value, in one of the five storage classes of SQLite.
public enum FieldValue: Sendable, Hashable {
    /// No value.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A string. Two strings are equal when their UTF-8 bytes are.
    case text(String)
    /// A sequence of bytes.
    case blob([UInt8])

    package var isNull: Bool { self == .null }
}

// Swift compares strings by canonical equivalence, SQLite by bytes. What is stored decides, so this does too.
extension FieldValue {
    public static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .blob(let value): hasher.combine(value)
        }
    }
}
