/// The characteristics of a Swift type's values that a ``PropertyType`` does not describe.
public struct StoredValueTraits: Sendable {
    /// The labels of a choice, in the order of its cases; nil when they are derived from the raw values.
    package var choiceLabels: [String]?
    /// A closure that returns the elements of an array or set; nil when the value is no such array.
    package var elements: (@Sendable (_ array: FieldValue, _ scale: Int) -> [FieldValue]?)?
    /// A closure that returns the properties of an ``Embedded`` struct. It is a closure because such a struct may
    /// contain others of its own type.
    package var embedded: (@Sendable () -> [EmbeddedProperty])?
    /// A closure that returns a value stored as JSON as the Swift type writes it.
    package var rewritten: (@Sendable (_ value: FieldValue, _ scale: Int) throws(FieldValueError) -> FieldValue)?

    /// Creates traits without any characteristics.
    public init() {}
}
