/// The characteristics of a Swift type's values that a ``PropertyType`` does not describe.
public struct StoredValueTraits: Sendable {
    /// Of a choice, in the order of its cases; nil when its raw values say it.
    package var choiceLabels: [String]?
    /// Of an array or a set: what it holds, one by one; nil when the value is no such array.
    package var elements: (@Sendable (_ array: FieldValue, _ scale: Int) -> [FieldValue]?)?
    /// Of an ``Embedded`` struct. A closure, because such a struct may hold others of its own type.
    package var embedded: (@Sendable () -> [EmbeddedProperty])?
    /// Of what is stored as JSON: the value as the Swift type writes it.
    package var rewritten: (@Sendable (_ value: FieldValue, _ scale: Int) throws(FieldValueError) -> FieldValue)?

    /// Creates traits without any characteristics.
    public init() {}
}
