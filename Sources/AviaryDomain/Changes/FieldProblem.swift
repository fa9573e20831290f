/// What is wrong with one field, or with a record, in words for the person who typed it. Never quotes what was typed.
///
/// ```swift
/// FieldProblem(\Loan.returned, "Choose a day after the loan began.")
/// FieldProblem("A loan is of a copy or of a volume, not of both.")
/// ```
public struct FieldProblem: Error, Sendable, Hashable, Codable {
    /// The property's name; empty for what is wrong with the record as a whole.
    public let property: String
    public let message: String

    package init(property: String, message: String) {
        self.property = property
        self.message = message
    }

    /// A problem of one field.
    ///
    /// - Parameters:
    ///   - property: A stored property of the model; what is none, such as a computed property, stands for the whole record.
    ///   - message: A sentence that says what to do instead. One without parts that change is looked up in the language in use.
    public init<M: Model>(_ property: any PartialKeyPath<M> & Sendable, _ message: String) {
        self.init(property: M.schema.property(at: property)?.name ?? "", message: message.translated)
    }

    /// A problem of no field in particular; it is shown above them all.
    ///
    /// - Parameter message: A sentence that says what to do instead. One without parts that change is looked up in the language
    ///   in use.
    public init(_ message: String) {
        self.init(property: "", message: message.translated)
    }
}
