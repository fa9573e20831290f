/// A problem with one field, or with a whole record, in words for the person who typed it.
///
/// ```swift
/// FieldProblem(\Loan.returned, "Choose a day after the loan began.")
/// FieldProblem("A loan is of a copy or of a volume, not of both.")
/// ```
///
/// A problem never quotes the typed value.
public struct FieldProblem: Error, Sendable, Hashable, Codable {
    /// The name of the property; empty when the problem concerns the whole record.
    public let property: String
    /// A sentence that says what to do instead.
    public let message: String

    package init(property: String, message: String) {
        self.property = property
        self.message = message
    }

    /// Creates a problem with one field.
    ///
    /// - Parameters:
    ///   - property: A stored property of the model. With any other key path, such as a computed property, the problem
    ///     concerns the whole record.
    ///   - message: A sentence that says what to do instead. A sentence without interpolations is translated into the
    ///     current language.
    public init<M: Model>(_ property: any PartialKeyPath<M> & Sendable, _ message: String) {
        self.init(property: M.schema.property(at: property)?.name ?? "", message: message.translated)
    }

    /// Creates a problem with the whole record. The admin shows it above the fields.
    ///
    /// - Parameter message: A sentence that says what to do instead. A sentence without interpolations is translated
    ///   into the current language.
    public init(_ message: String) {
        self.init(property: "", message: message.translated)
    }
}
