/// The integer types whose range is smaller than that of a column, and the unsigned integer types.
public enum IntegerWidth: String, Sendable, Hashable, CaseIterable {
    /// The type `Int8`.
    case int8
    /// The type `Int16`.
    case int16
    /// The type `Int32`.
    case int32
    /// The type `UInt8`.
    case uint8
    /// The type `UInt16`.
    case uint16
    /// The type `UInt32`.
    case uint32
    /// The types `UInt` and `UInt64`. A column holds signed 64-bit integers, so values above `Int64.max` cannot be
    /// stored.
    case uint64

    /// The range of values of this type that a column can hold.
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
