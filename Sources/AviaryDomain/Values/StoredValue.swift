/// A Swift type whose values one column can hold.
///
/// These types conform: `String`, `Bool`, integers and floating-point numbers of every width, `Decimal`, `Date`,
/// ``CalendarDate``, `UUID`, `Data`, `URL`, ``Choice`` enums, ``Reference``, ``Embedded`` structs, arrays and sets of
/// these, and all of them as optionals.
///
/// A value that a column cannot hold, such as a `UInt64` above `Int64.max`, is never converted to another value. Its
/// ``fieldValue`` has another storage class than the column, and the store rejects it with a message at its property.
///
/// ```swift
/// struct Wavelength: StoredValue {
///     var nanometres: Double
///     static var propertyType: PropertyType { .double }
///     var fieldValue: FieldValue { .real(nanometres) }
///     init(fieldValue: FieldValue) throws(FieldValueError) { nanometres = try Double(fieldValue: fieldValue) }
/// }
/// ```
public protocol StoredValue: Sendable {
    /// The type of a column for these values. It must be the same at every call, because the store creates the file by
    /// it.
    static var propertyType: PropertyType { get }
    /// A Boolean value that indicates whether the column may be NULL. Only `Optional` returns true.
    static var isOptional: Bool { get }
    /// The properties of the values that ``propertyType`` does not describe.
    static var traits: StoredValueTraits { get }
    /// A Boolean value that indicates whether the column value depends on a scale, as for `Decimal` and types made of
    /// it.
    static var isScaled: Bool { get }

    /// Creates a value from a column value.
    ///
    /// - Parameter fieldValue: The column value.
    /// - Throws: ``FieldValueError`` when the column value is not one that ``fieldValue`` returns.
    init(fieldValue: FieldValue) throws(FieldValueError)
    /// The column value. For a value that the column cannot hold, it has another storage class, and the store rejects
    /// it.
    var fieldValue: FieldValue { get }

    /// Creates a value from the value of a column with a scale. It is only called where ``isScaled`` is true.
    ///
    /// - Parameters:
    ///   - fieldValue: The column value.
    ///   - scale: The number of digits after the decimal point that the property declares.
    /// - Throws: ``FieldValueError`` when the column value is not one that ``fieldValue(scale:)`` returns.
    init(fieldValue: FieldValue, scale: Int) throws(FieldValueError)

    /// Returns the value of a column with a scale. It is only called where ``isScaled`` is true.
    ///
    /// - Parameter scale: The number of digits after the decimal point that the property declares.
    /// - Returns: The column value. For a value that the column cannot hold, it has another storage class, and the
    ///   store rejects it.
    func fieldValue(scale: Int) -> FieldValue
}

extension StoredValue {
    public static var isOptional: Bool { false }
    public static var traits: StoredValueTraits { StoredValueTraits() }
    public static var isScaled: Bool { false }

    public init(fieldValue: FieldValue, scale: Int) throws(FieldValueError) {
        try self.init(fieldValue: fieldValue)
    }

    public func fieldValue(scale: Int) -> FieldValue { fieldValue }
}

extension StoredValue {
    /// Returns the column value; nil when a column cannot hold it.
    package func storable(scale: Int) -> FieldValue? {
        let value = fieldValue(scale: scale)
        if value.isNull { return Self.isOptional ? value : nil }
        return Self.propertyType.scaled(scale).refusal(of: value) == nil ? value : nil
    }
}
