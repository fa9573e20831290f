/// The integer types that hold less than a column does, and the unsigned ones.
public enum IntegerWidth: String, Sendable, Hashable, CaseIterable {
    case int8, int16, int32, uint8, uint16, uint32
    /// `UInt` and `UInt64`. A column holds 64 bits with a sign, so what is above `Int64.max` cannot be stored.
    case uint64

    /// The values that a property of this type can hold in a column.
    public var range: ClosedRange<Int64> {
        switch self {
        case .int8: Int64(Int8.min)...Int64(Int8.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .uint8: 0...Int64(UInt8.max)
        case .uint16: 0...Int64(UInt16.max)
        case .uint32: 0...Int64(UInt32.max)
        case .uint64: 0...Int64.max
        }
    }
}
