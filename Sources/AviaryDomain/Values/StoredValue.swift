/// A Swift type that fits into one column.
public protocol StoredValue: Sendable {
    static var propertyType: PropertyType { get }
    static var isOptional: Bool { get }
    init(fieldValue: FieldValue) throws(FieldValueError)
    var fieldValue: FieldValue { get }
}

extension StoredValue {
    public static var isOptional: Bool { false }
}
