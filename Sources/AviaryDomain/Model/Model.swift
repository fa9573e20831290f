/// A record type: a `Sendable` struct whose stored properties are columns and relations.
///
/// Attach `@Model` to a struct and the compiler writes these four members. Write them by hand only where
/// a macro cannot be used; the macro is sugar over exactly this protocol.
///
/// ```swift
/// @Model
/// struct Animal {
///     @Attribute(.required) var name: String
///     var category: Reference<AnimalCategory>?
/// }
/// ```
public protocol Model: Sendable, Identifiable where ID == RecordID<Self> {
    /// The properties in the order in which `init(from:)` reads and `bind(to:)` writes them.
    static var schema: ModelSchema { get }

    /// The record's identity, made in memory before anything is stored.
    var id: RecordID<Self> { get set }

    /// Reads the stored properties in schema order.
    ///
    /// - Throws: ``FieldValueError`` when a stored value does not fit its property.
    init(from reader: inout FieldReader) throws

    /// Writes the stored properties in schema order.
    func bind(to writer: inout FieldWriter)
}

extension Model {
    /// The type's own name: the table's name in the file and the model's name in change sets and snapshots.
    package static var modelName: String { String(describing: Self.self) }
}
