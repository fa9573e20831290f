/// A record type: a `Sendable` struct whose stored properties are columns and relations.
///
/// Attach `@Model` to a struct and the compiler writes the members and the conformance:
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
/// The macro is sugar over exactly this protocol and costs nothing at run time, so a model can be written without it: where a
/// program writes the source, or where macros cannot be built. Such a model and one of the macro's are the same to everything
/// else.
///
/// 1. The struct has an `id` of its own type, and a new record makes one.
/// 2. `schema` names every property but the id once, by key path and name, with what `@Attribute` and `@Relationship` would
///    say. It is a `static let`: it is asked for often.
/// 3. `init(from:)` and `bind(to:)` name the same properties **in the order of the schema**. Values have no names on the way,
///    so a swapped pair of the same type would be swapped in the file. The id may stand anywhere; a ``Related`` may be left out.
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
/// What is wrong with a schema, such as an inverse that points elsewhere, is a ``SchemaError`` when the application starts.
public protocol Model: Sendable, Identifiable where ID == RecordID<Self> {
    /// The table's name in the file, and the model's name in change sets and snapshots: the type's own unless declared.
    static var modelName: String { get }

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

    /// What is wrong with the record where its properties do not fit together; empty when nothing is. Nothing unless
    /// declared.
    ///
    /// ```swift
    /// func validate() -> [FieldProblem] {
    ///     guard let returned, returned < lent else { return [] }
    ///     return [FieldProblem(\Loan.returned, "Choose a day after the loan began.")]
    /// }
    /// ```
    ///
    /// Asked when each property by itself is as its `@Attribute` says: in the editor, in an import, and by the store before
    /// it stores the record, whoever sends it. A record with a problem is refused. It decides by the record alone, is quick,
    /// and has no effects: it runs several times for one save. It is not asked when a delete rule empties a reference, nor
    /// for the records of a snapshot that is restored.
    func validate() -> [FieldProblem]
}

extension Model {
    public static var modelName: String { String(describing: Self.self) }

    public func validate() -> [FieldProblem] { [] }

    static func problems(in record: Record) -> [FieldProblem] {
        // Values that do not fit their properties are told of where they are checked one by one.
        guard let model = try? Self(record) else { return [] }
        return model.validate()
    }
}
