/// A type of records: a `Sendable` struct whose stored properties are columns and relations.
///
/// Attach the macro `@Model` to a struct, and it writes the members and the conformance:
///
/// ```swift
/// @Model
/// struct Animal {
///     @Attribute(.required) var name: String
///     var category: Reference<AnimalCategory>?
/// }
/// ```
///
/// ## Writing a model by hand
///
/// The macro generates exactly the requirements of this protocol and has no cost at run time. You can write a model
/// without it, for example when a program generates the source, or when macros cannot be built. Both kinds of models
/// behave alike everywhere.
///
/// 1. The struct has an `id` of its own type, and a new record creates one.
/// 2. `schema` names every property except the id once, by key path and name, with the options that `@Attribute` and
/// `@Relationship` would declare. Make it a `static let`, because it is read often.
/// 3. `init(from:)` and `bind(to:)` name the same properties **in the order of the schema**. The values are transferred
/// without names, so exchanging two properties of the same type exchanges their values in the file. The id may be at
/// any place. You may leave out a ``Related``.
///
/// ```swift
/// struct Member: Model {
///     var id = RecordID<Member>()
///     var name: String
///     var loans = Related<Loan>()
///
///     static let schema = ModelSchema(
///         Member.self,
///         [
///             PropertyDefinition(\.name, "name", attributes: [.required, .length(1...80)]),
///             PropertyDefinition(\.loans, "loans", relationship: RelationshipOptions(inverse: \Loan.member)),
///         ],
///         indexes: [[\.name]]
///     )
///
///     init(name: String) { self.name = name }
///
///     init(from reader: inout FieldReader) throws {
///         id = try reader.next("id")
///         name = try reader.next("name")
///         loans = try reader.next("loans")
///     }
///
///     func bind(to writer: inout FieldWriter) {
///         writer.bind(id)
///         writer.bind(name)
///         writer.bind(loans)
///     }
/// }
///
/// struct Loan: Model {
///     var id = RecordID<Loan>()
///     var member: Reference<Member>
///     var began: CalendarDate
///     var returned: CalendarDate?
///     var renewals = 0
///
///     static let schema = ModelSchema(
///         Loan.self,
///         [
///             PropertyDefinition(\.member, "member"),
///             PropertyDefinition(\.began, "began"),
///             PropertyDefinition(\.returned, "returned"),
///             PropertyDefinition(\.renewals, "renewals", default: { 0 }, attributes: [.range(0...)]),
///         ],
///         uniqueConstraints: [[\.member, \.began]]
///     )
///
///     init(member: Member, began: CalendarDate) {
///         self.member = Reference(member)
///         self.began = began
///     }
///
///     init(from reader: inout FieldReader) throws {
///         id = try reader.next("id")
///         member = try reader.next("member")
///         began = try reader.next("began")
///         returned = try reader.next("returned")
///         renewals = try reader.next("renewals")
///     }
///
///     func bind(to writer: inout FieldWriter) {
///         writer.bind(id)
///         writer.bind(member)
///         writer.bind(began)
///         writer.bind(returned)
///         writer.bind(renewals)
///     }
///
///     func validate() -> [FieldProblem] {
///         guard let returned, returned < began else { return [] }
///         return [FieldProblem(\Loan.returned, "Choose a day on which the loan had begun.")]
///     }
/// }
/// ```
///
/// A mistake in a schema, such as an inverse that points elsewhere, is a ``SchemaError`` when the application starts.
public protocol Model: Sendable, Identifiable where ID == RecordID<Self> {
    /// The name of the model in change sets and snapshots, and of its table in the file. The default is the name of the
    /// type.
    static var modelName: String { get }

    /// The properties, in the order in which `init(from:)` reads and `bind(to:)` writes them.
    static var schema: ModelSchema { get }

    /// The identity of the record, created in memory before the record is stored.
    var id: RecordID<Self> { get set }

    /// Creates a record by reading the stored properties in the order of the schema.
    ///
    /// - Parameter reader: The values of a stored record.
    /// - Throws: ``FieldValueError`` when a stored value does not fit its property.
    init(from reader: inout FieldReader) throws

    /// Writes the stored properties in the order of the schema.
    ///
    /// - Parameter writer: A collector of the values.
    func bind(to writer: inout FieldWriter)

    /// Returns the problems of properties that do not fit together.
    ///
    /// ```swift
    /// func validate() -> [FieldProblem] {
    ///     guard let returned, returned < lent else { return [] }
    ///     return [FieldProblem(\Loan.returned, "Choose a day after the loan began.")]
    /// }
    /// ```
    ///
    /// The default implementation returns none. The method is called when each property alone follows the rules of
    /// its `@Attribute`: in the editor, in an import, and by the store before it stores a record from any source.
    /// The store rejects a record with a problem, unless the stored record already has the same problem and the
    /// change does not touch the property that it names. The method is not called when a delete rule sets a
    /// reference to nil, and not for the records of a snapshot that is restored.
    ///
    /// Decide by the record alone, without side effects, and quickly: the method is called several times for one
    /// save.
    ///
    /// - Returns: The problems; an empty array for a valid record.
    func validate() -> [FieldProblem]
}

extension Model {
    public static var modelName: String { String(describing: Self.self) }

    public func validate() -> [FieldProblem] { [] }

    static func problems(in record: Record) -> [FieldProblem] {
        // The checks of single values report a value that does not fit its property.
        guard let model = try? Self(record) else { return [] }
        return model.validate()
    }
}

// All conversions between a value of a model and its record are here.
extension Model {
    /// Decodes a record.
    ///
    /// - Throws: ``FieldValueError`` when a stored value does not fit its property.
    package init(_ record: Record) throws {
        var reader = FieldReader(record, of: Self.self)
        try self.init(from: &reader)
    }

    /// The stored values, in the order of the schema.
    package var storedValues: [FieldValue] {
        var writer = FieldWriter(for: Self.self)
        bind(to: &writer)
        return writer.values
    }

    /// The stored values by property name.
    package var fieldValues: [String: FieldValue] {
        Dictionary(zip(Self.schema.storedProperties.map(\.name), storedValues), uniquingKeysWith: { first, _ in first })
    }
}
