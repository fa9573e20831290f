/// A Swift type that fits into one column.
///
/// Texts, truth values, integers and numbers of every width, `Decimal`, `Date`, ``CalendarDate``, `UUID`, `Data`, `URL`,
/// ``Choice`` enums, ``Reference``, ``Embedded`` structs, arrays and sets of these, and all of them optional do.
///
/// A value that a column cannot hold, such as a `UInt64` above `Int64.max`, is never changed to one that it can: what
/// ``fieldValue`` gives for it is of another kind than the column's, and is refused when it is to be stored, with a
/// sentence at its property.
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
    /// What a column of these values is. The same at every call: the file is made by it.
    static var propertyType: PropertyType { get }
    /// Whether the column may be empty. Only of an `Optional`.
    static var isOptional: Bool { get }
    /// What ``propertyType`` cannot say of the values.
    static var traits: StoredValueTraits { get }
    /// Whether what is stored depends on a scale: so of `Decimal` and what is made of it.
    static var isScaled: Bool { get }

    /// Reads what a column holds.
    ///
    /// - Throws: ``FieldValueError`` when this is not what ``fieldValue`` gives.
    init(fieldValue: FieldValue) throws(FieldValueError)
    /// What a column holds of the value; of what it cannot hold, a value of another kind.
    var fieldValue: FieldValue { get }

    /// Reads what a column of a scale holds. Only asked where ``isScaled``.
    ///
    /// - Parameter scale: The digits after the point that the property is declared with.
    /// - Throws: ``FieldValueError`` when this is not what ``fieldValue(scale:)`` gives.
    init(fieldValue: FieldValue, scale: Int) throws(FieldValueError)
    /// What a column of a scale holds of the value. Only asked where ``isScaled``.
    ///
    /// - Parameter scale: The digits after the point that the property is declared with.
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
    /// What a column would hold; nil when it cannot.
    package func storable(scale: Int) -> FieldValue? {
        let value = fieldValue(scale: scale)
        if value.isNull { return Self.isOptional ? value : nil }
        return Self.propertyType.scaled(scale).refusal(of: value) == nil ? value : nil
    }
}
